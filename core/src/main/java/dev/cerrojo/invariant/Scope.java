package dev.cerrojo.invariant;

/** What one instance of an invariant is about. */
public sealed interface Scope {
    /** One instance: the whole database. */
    record Global() implements Scope {}

    /**
     * One instance per row of a table.
     *
     * @param table the table, as SQL names it; may be qualified with a schema
     * @param key its key column
     */
    record Table(String table, String key) implements Scope {}
}
