package dev.cerrojo.redis;

import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotencycontract.RequestStoreContract;
import dev.cerrojo.testsupport.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the oldest Redis. */
class JedisRequestStoreTest extends RequestStoreContract {
    private static RedisServer oldest;
    private static Client.Connected client;
    private static RedisRequestStore store;

    @BeforeAll
    static void connect() {
        oldest = RedisServer.startOldest();
        client = Client.JEDIS.connect(oldest.url());
        store = client.requests();
    }

    @AfterAll
    static void end() {
        store.close();
        client.close();
        oldest.close();
    }

    @Override
    protected RequestStore store() {
        return store;
    }
}
