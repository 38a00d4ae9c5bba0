package dev.cerrojo.internal;

import java.util.List;
import java.util.Map;

/**
 * Cerrojo's guard table: one row per invariant and scope, which every transaction that may break the invariant of the
 * scope updates first. That row is what they wait for: the row lock of an UPDATE is held until the transaction ends,
 * and above READ COMMITTED a row that changed since the snapshot is refused with 40001.
 *
 * @param schema the schema it is in
 */
public record GuardTable(String schema) {
    /** The schema of Cerrojo's own objects unless another is given. */
    public static final String DEFAULT_SCHEMA = "cerrojo";

    /** The scope of an invariant that has one instance, as the guard table names it. */
    public static final String GLOBAL_SCOPE = "global";

    private static final Template CREATE = new Template("""
            CREATE TABLE IF NOT EXISTS {guard} (
              invariant text NOT NULL,
              scope text NOT NULL,
              touched bigint NOT NULL DEFAULT 0,
              PRIMARY KEY (invariant, scope)
            )""");

    /** Leans on the row lock of ON CONFLICT DO UPDATE, and on the unique index while the row does not exist yet. */
    private static final Template TOUCH = new Template("""
            INSERT INTO {guard} AS g (invariant, scope)
            {source}
            ON CONFLICT (invariant, scope) DO UPDATE SET touched = g.touched + 1""");

    /** {@return the table's name as SQL text} */
    public String sql() {
        return Identifiers.quote(schema) + ".guard";
    }

    /** {@return the statements that make it where it is missing} */
    public List<String> createStatements() {
        return List.of("CREATE SCHEMA IF NOT EXISTS " + Identifiers.quote(schema), CREATE.fill(Map.of("guard", sql())));
    }

    /**
     * {@return the statement that touches guard rows}
     *
     * @param source a query or VALUES with the columns invariant and scope: rows without duplicates, in the order in
     *     which they are to be locked
     */
    public String touch(String source) {
        return TOUCH.fill(Map.of("guard", sql(), "source", source));
    }
}
