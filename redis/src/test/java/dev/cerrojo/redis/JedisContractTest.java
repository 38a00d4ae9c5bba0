package dev.cerrojo.redis;

import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.leasecontract.LeaseStoreContract;
import dev.cerrojo.testsupport.server.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On the oldest Redis. */
class JedisContractTest extends LeaseStoreContract {
    private static RedisServer oldest;
    private static Client.Connected client;

    @BeforeAll
    static void connect() {
        oldest = RedisServer.startOldest();
        client = Client.JEDIS.connect(oldest.url());
    }

    @AfterAll
    static void end() {
        client.close();
        oldest.close();
    }

    @Override
    protected LeaseStore open() {
        return client.store();
    }
}
