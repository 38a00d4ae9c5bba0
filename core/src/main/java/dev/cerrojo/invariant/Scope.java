package dev.cerrojo.invariant;

/** What one instance of an invariant is about. */
public sealed interface Scope {
    /** {@return the scope that has one instance: the whole database} */
    static Scope global() {
        return new Global();
    }

    /**
     * {@return the scope that has one instance per row of a table}
     *
     * @throws InvalidInvariantException when either is not a name
     */
    static Scope table(String table, String key) {
        return new Table(table, key);
    }

    /** One instance: the whole database. */
    record Global() implements Scope {}

    /**
     * One instance per row of a table. A row whose key is NULL is no instance.
     *
     * @param table the table, as SQL names it; may be qualified with a schema
     * @param key its key column, as SQL names it
     */
    record Table(String table, String key) implements Scope {
        /** Checks that both are names. */
        public Table {
            Declaration.table("table of the scope", table);
            Declaration.column("key of the scope", key);
        }
    }
}
