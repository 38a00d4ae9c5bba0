package dev.cerrojo.guard;

import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.invariant.Invariant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Rows that violate an invariant now.
 *
 * @param rows each as JSON
 * @param more whether there are more
 */
record Violations(List<String> rows, boolean more) {
    static final int MOST = 100;

    /** {@return what the query of the invariant returns, with the search path as it is} */
    static Violations of(Connection connection, Invariant invariant) throws SQLException {
        List<String> rows = CatalogRow.all(
                        connection,
                        "SELECT to_json(v)::text AS row FROM (SELECT * FROM (\n%s\n) AS v LIMIT %d) AS v"
                                .formatted(invariant.violationSql(), MOST + 1))
                .stream()
                .map(row -> row.text("row"))
                .toList();
        return new Violations(rows.subList(0, Math.min(MOST, rows.size())), rows.size() > MOST);
    }

    String inLines() {
        return String.join("\n  ", rows) + (more ? "\n  and more" : "");
    }
}
