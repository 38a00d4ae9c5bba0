package dev.cerrojo.redis;

import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotencycontract.RequestStoreContract;
import dev.cerrojo.testsupport.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LettuceRequestStoreTest extends RequestStoreContract {
    private static Client.Connected client;
    private static RedisRequestStore store;

    @BeforeAll
    static void connect() {
        client = Client.LETTUCE.connect(RedisServer.sharedUrl());
        store = client.requests();
    }

    @AfterAll
    static void end() {
        store.close();
        client.close();
    }

    @Override
    protected RequestStore store() {
        return store;
    }
}
