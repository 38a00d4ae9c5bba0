package dev.cerrojo.leasecontract;

import dev.cerrojo.lease.LeaseStore;

class InMemoryLeaseStoreTest extends LeaseStoreContract {
    private final LeaseStore store = new InMemoryLeaseStore();

    @Override
    protected LeaseStore open() {
        return store;
    }
}
