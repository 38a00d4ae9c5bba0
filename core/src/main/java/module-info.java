/** The library: transactions, invariants, what guards them, optimistic updates and leases. Depends on the JDK only. */
module dev.cerrojo {
    requires static org.jspecify;
    requires transitive java.sql;

    exports dev.cerrojo;
    exports dev.cerrojo.guard;
    exports dev.cerrojo.idempotency;
    exports dev.cerrojo.invariant;
    exports dev.cerrojo.lease;
    exports dev.cerrojo.optimistic;
    exports dev.cerrojo.ownership;
    exports dev.cerrojo.schema;
    exports dev.cerrojo.tx;
    exports dev.cerrojo.version;
}
