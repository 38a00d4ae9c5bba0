package dev.cerrojo.backoffice.state;

import dev.cerrojo.backoffice.Invariants;
import dev.cerrojo.backoffice.state.State.Margin;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.MarginQuery;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The scopes that are nearest to a violation. */
@Component
class Margins {
    private static final int EACH = 5;

    /** This one's rule is a query, which has no distance of its own. */
    private static final String PLATFORM = """
            SELECT count(*) - 1 FROM platform_user u JOIN platform_role r ON r.name = u.role
            WHERE u.active AND r.creates_platform_users""";

    private final JdbcClient jdbc;

    Margins(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Margin> now() {
        long platform = jdbc.sql(PLATFORM).query(Long.class).single();
        Stream<Margin> first =
                Stream.of(new Margin(Invariants.PLATFORM_ADMINISTRATOR.name(), "the whole platform", platform));
        return Stream.concat(first, Invariants.all().stream().flatMap(this::of)).toList();
    }

    private Stream<Margin> of(Invariant invariant) {
        return MarginQuery.of(invariant)
                .map(query -> jdbc.sql(query.sql(EACH))
                        .query((row, number) ->
                                new Margin(invariant.name(), row.getString("scope"), row.getLong("margin")))
                        .list())
                .stream()
                .flatMap(List::stream);
    }
}
