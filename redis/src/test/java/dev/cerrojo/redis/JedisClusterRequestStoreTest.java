package dev.cerrojo.redis;

import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.idempotencycontract.RequestStoreContract;
import dev.cerrojo.testsupport.server.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class JedisClusterRequestStoreTest extends RequestStoreContract {
    private static Client.Connected client;
    private static RedisRequestStore store;

    @BeforeAll
    static void connect() {
        client = Client.JEDIS.connect(RedisCluster.shared());
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
