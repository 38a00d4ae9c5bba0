package dev.cerrojo.internal;

import java.util.List;

/**
 * Cerrojo's guard table: one row per invariant and scope, which every transaction that may break the invariant of the
 * scope updates first. That row is what they wait for: the row lock of an UPDATE is held until the transaction ends,
 * and above READ COMMITTED a row that changed since the snapshot is refused with 40001.
 *
 * @param schema the schema it is in
 */
public record GuardTable(String schema) {
    /** The scope of an invariant that has one instance, as the guard table names it. */
    public static final String GLOBAL_SCOPE = "global";

    /** {@return the table's name as SQL text} */
    public String sql() {
        return Identifiers.quote(schema) + ".guard";
    }

    /** {@return the statements that make it where it is missing} */
    public List<String> createStatements() {
        return List.of("CREATE SCHEMA IF NOT EXISTS " + Identifiers.quote(schema), """
                CREATE TABLE IF NOT EXISTS %s (
                  invariant text NOT NULL,
                  scope text NOT NULL,
                  touched bigint NOT NULL DEFAULT 0,
                  PRIMARY KEY (invariant, scope)
                )""".formatted(sql()));
    }

    /**
     * {@return the statement that touches guard rows}
     *
     * @param source what follows {@code INSERT INTO guard (invariant, scope)}: rows without duplicates, in the order in
     *     which they are to be locked
     */
    public String touch(String source) {
        // Leans on the row lock of ON CONFLICT DO UPDATE, and on the unique index while the row does not exist yet.
        return """
                INSERT INTO %s AS g (invariant, scope)
                %s
                ON CONFLICT (invariant, scope) DO UPDATE SET touched = g.touched + 1""".formatted(sql(), source);
    }
}
