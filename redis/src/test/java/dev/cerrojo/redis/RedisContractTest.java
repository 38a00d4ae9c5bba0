package dev.cerrojo.redis;

import dev.cerrojo.lease.LeaseStore;
import dev.cerrojo.leasecontract.LeaseStoreContract;
import dev.cerrojo.testsupport.server.RedisCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** What each store must do: both clients, on a server, on the oldest server, and on a cluster. */
class RedisContractTest {
    private static Client.Connected onAServer;
    private static final Map<Client, Client.Connected> ON_A_CLUSTER = new HashMap<>();
    private static RedisServer oldest;
    private static Client.Connected onTheOldest;
    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        oldest = RedisServer.startOldest();
        onTheOldest = Client.JEDIS.connect(oldest.url());
        onAServer = Client.LETTUCE.connect(RedisServer.sharedUrl());
        cluster = RedisCluster.start();
        for (Client client : Client.values()) {
            ON_A_CLUSTER.put(client, client.connect(cluster));
        }
    }

    @AfterAll
    static void stop() {
        onAServer.close();
        ON_A_CLUSTER.values().forEach(Client.Connected::close);
        onTheOldest.close();
        oldest.close();
        cluster.close();
    }

    @Nested
    class LettuceOnAServer extends LeaseStoreContract {
        @Override
        protected LeaseStore open() {
            return onAServer.store();
        }
    }

    @Nested
    class JedisOnTheOldestServer extends LeaseStoreContract {
        @Override
        protected LeaseStore open() {
            return onTheOldest.store();
        }
    }

    @Nested
    class JedisOnACluster extends LeaseStoreContract {
        @Override
        protected LeaseStore open() {
            return ON_A_CLUSTER.get(Client.JEDIS).store();
        }
    }

    @Nested
    class LettuceOnACluster extends LeaseStoreContract {
        @Override
        protected LeaseStore open() {
            return ON_A_CLUSTER.get(Client.LETTUCE).store();
        }
    }
}
