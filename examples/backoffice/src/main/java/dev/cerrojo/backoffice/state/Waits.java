package dev.cerrojo.backoffice.state;

import dev.cerrojo.backoffice.state.State.Waiting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Who waits for whom in this database. */
@Component
class Waits {
    private static final int LONGEST = 200;

    private static final String WAITING = """
            SELECT pid, pg_blocking_pids(pid) AS waits_for, left(query, %d) AS statement,
              extract(epoch FROM clock_timestamp() - state_change) * 1000 AS millis
            FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' ORDER BY state_change LIMIT 20""".formatted(LONGEST);

    private final JdbcClient jdbc;

    Waits(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Waiting> now() {
        return jdbc.sql(WAITING).query((row, number) -> waiting(row)).list();
    }

    private static Waiting waiting(ResultSet row) throws SQLException {
        Integer[] pids = (Integer[]) row.getArray("waits_for").getArray();
        return new Waiting(row.getInt("pid"), List.of(pids), row.getLong("millis"), row.getString("statement"));
    }
}
