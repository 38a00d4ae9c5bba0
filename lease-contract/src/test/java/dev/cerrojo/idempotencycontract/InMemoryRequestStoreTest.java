package dev.cerrojo.idempotencycontract;

import dev.cerrojo.idempotency.RequestStore;

class InMemoryRequestStoreTest extends RequestStoreContract {
    private final RequestStore store = new InMemoryRequestStore(InMemoryRequestStore.Flaw.NONE);

    @Override
    protected RequestStore store() {
        return store;
    }
}
