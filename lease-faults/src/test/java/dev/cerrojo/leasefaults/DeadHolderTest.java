package dev.cerrojo.leasefaults;

import static dev.cerrojo.leasefaults.Outcome.REPLACED;

import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A dead holder is replaced within one time to live plus one beat: {@link Workplace} demands it of every one that is killed. */
@EnabledIfSystemProperty(named = "cerrojo.leases", matches = "all")
class DeadHolderTest {
    private static final int TIMES = 5;

    private static void killed(Site site) {
        try (Workplace place = Workplace.open(site.withLeasesOf(Duration.ofSeconds(2)))) {
            place.befallUntil(
                    Fault.HOLDER_KILLED_AT_TWO_SECONDS,
                    Set.of(REPLACED),
                    holder -> holder.process().kill(),
                    rounds -> rounds.size() == TIMES);
            place.assertNothingStale();
            place.done();
        }
    }

    @Test
    void onPostgres() {
        try (TestDatabase database = TestDatabase.create()) {
            killed(Site.of("Dead holder on PostgreSQL", StoreKind.POSTGRES, worker -> "", database.jdbcUrl()));
        }
    }

    @Test
    void onRedis() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start()) {
            killed(Site.of("Dead holder on Redis", StoreKind.REDIS, worker -> server.url(), database.jdbcUrl()));
        }
    }

    @Test
    void onRedisByJedis() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start()) {
            killed(Site.of(
                    "Dead holder on Redis by Jedis",
                    StoreKind.REDIS_BY_JEDIS,
                    worker -> server.url(),
                    database.jdbcUrl()));
        }
    }

    @Test
    void onRedisCluster() {
        try (TestDatabase database = TestDatabase.create();
                RedisCluster cluster = RedisCluster.start()) {
            killed(Site.of(
                    "Dead holder on Redis Cluster",
                    StoreKind.REDIS_CLUSTER,
                    worker -> HolderFaults.addresses(cluster),
                    database.jdbcUrl()));
        }
    }

    @Test
    void onEtcd() {
        try (EtcdCluster etcd = EtcdCluster.start(3);
                TestDatabase database = TestDatabase.create()) {
            killed(Site.of(
                    "Dead holder on etcd", StoreKind.ETCD, worker -> HolderFaults.addresses(etcd), database.jdbcUrl()));
        }
    }
}
