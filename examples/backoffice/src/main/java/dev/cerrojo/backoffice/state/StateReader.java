package dev.cerrojo.backoffice.state;

import dev.cerrojo.backoffice.state.State.Held;
import dev.cerrojo.backoffice.state.State.Stuck;
import dev.cerrojo.idempotency.ClaimStore;
import dev.cerrojo.idempotency.JobStore;
import dev.cerrojo.idempotency.RequestStore;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads what the page shows. */
@Component
class StateReader {
    private static final int MOST = 20;

    private static final String LEASES = """
            SELECT concat_ws(' / ', l.entity, nullif(h.field_group, '')) AS scope, left(h.owner::text, 8) AS holder,
              extract(epoch FROM h.until - clock_timestamp()) * 1000 AS ends_in_millis
            FROM cerrojo.lease AS l, unnest(l.holds) AS h WHERE h.until > clock_timestamp() ORDER BY 1 LIMIT %d""".formatted(MOST);

    private final JdbcClient jdbc;
    private final Margins margins;
    private final Waits waits;
    private final RequestStore requests;
    private final JobStore jobs;

    StateReader(JdbcClient jdbc, Margins margins, Waits waits, DataSource dataSource) {
        this.jdbc = jdbc;
        this.margins = margins;
        this.waits = waits;
        this.requests = RequestStore.inPostgres(dataSource);
        this.jobs = JobStore.inPostgres(dataSource);
    }

    State read() {
        return new State(margins.now(), leases(), waits.now(), claims());
    }

    private List<Held> leases() {
        return jdbc.sql(LEASES).query(Held.class).list();
    }

    private List<Stuck> claims() {
        return Stream.concat(stuck("requests", requests), stuck("jobs", jobs)).toList();
    }

    private static Stream<Stuck> stuck(String name, ClaimStore<?, ?> store) {
        return store.stuck(MOST).stream()
                .map(claim -> new Stuck(name, claim.key(), claim.since().toMillis()));
    }
}
