package dev.cerrojo.redis;

import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.leasecontract.LeaseStoreContract;
import dev.cerrojo.testsupport.server.RedisCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class JedisClusterContractTest extends LeaseStoreContract {
    private static Client.Connected client;

    @BeforeAll
    static void connect() {
        client = Client.JEDIS.connect(RedisCluster.shared());
    }

    @AfterAll
    static void end() {
        client.close();
    }

    @Override
    protected LeaseStore open() {
        return client.store();
    }
}
