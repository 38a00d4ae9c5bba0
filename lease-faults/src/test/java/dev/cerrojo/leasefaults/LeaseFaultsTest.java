package dev.cerrojo.leasefaults;

import static dev.cerrojo.leasefaults.Outcome.GIVEN_BACK;
import static dev.cerrojo.leasefaults.Outcome.KEPT;
import static dev.cerrojo.leasefaults.Outcome.TOLD_AFTER;
import static dev.cerrojo.leasefaults.Outcome.TOLD_BEFORE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Real processes hold leases and write, while they and their stores fail. Whatever happens, nothing that a former holder writes is
 * committed; without fences, something is. Some faults in each build; all of them with {@code -Dcerrojo.leases=all}.
 */
class LeaseFaultsTest {
    private static final String ALL = "cerrojo.leases";
    private static final int CONTROL_ROUNDS = 10;

    /** How long a fault lasts that nobody needs to notice. */
    private static void last(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    @Test
    void redis() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                Workplace place =
                        Workplace.open(Site.of("Redis", StoreKind.REDIS, worker -> server.url(), database.jdbcUrl()))) {
            HolderFaults.pausedAndKilled(place);
            place.befall(Fault.STORE_RESTARTED_EMPTY, Set.of(TOLD_BEFORE, TOLD_AFTER), holder -> server.restart());
            place.befall(Fault.STORE_PAUSED, Set.of(TOLD_BEFORE), holder -> {
                long start = System.nanoTime();
                server.pause();
                holder.awaitLoss(start);
                server.resume();
            });
            place.assertNothingStale();
            place.done();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void redisWithAnAppendOnlyFile() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start("--appendonly", "yes");
                Workplace place = Workplace.open(
                        Site.of("Redis with a file", StoreKind.REDIS, worker -> server.url(), database.jdbcUrl()))) {
            place.befall(Fault.STORE_RESTARTED, Set.of(KEPT, TOLD_BEFORE), holder -> server.restart());
            place.assertNothingStale();
            place.done();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void redisByJedis() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                Workplace place = Workplace.open(Site.of(
                        "Redis by Jedis", StoreKind.REDIS_BY_JEDIS, worker -> server.url(), database.jdbcUrl()))) {
            HolderFaults.pausedAndKilled(place);
            place.befall(Fault.STORE_RESTARTED_EMPTY, Set.of(TOLD_BEFORE, TOLD_AFTER), holder -> server.restart());
            place.assertNothingStale();
            place.done();
        }
    }

    /** The control: what the fences are for. */
    @Test
    void withoutFencesAFormerHoldersWritesAreCommitted() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                Workplace place = Workplace.open(
                        Site.of("Redis without fences", StoreKind.REDIS, worker -> server.url(), database.jdbcUrl())
                                .withoutFences())) {
            Row row = place.befallUntil(
                    Fault.HOLDER_PAUSED,
                    Set.of(TOLD_AFTER),
                    holder -> {
                        holder.process().pause();
                        Await.until("another has it", () -> place.awaitHolder() != holder);
                        // what it can write; nothing, when the paused one has locked the row
                        last(Duration.ofMillis(200));
                        holder.process().resume();
                    },
                    rounds -> rounds.size() == CONTROL_ROUNDS
                            || rounds.stream().anyMatch(round -> round.stale() > 0 && round.overwritten() > 0));
            assertThat(row.counts().stale()).as("stale commits without fences").isPositive();
            assertThat(row.counts().overwritten()).as("values overwritten").isPositive();
            place.done();
        }
    }

    @Test
    void etcd() {
        try (EtcdCluster etcd = EtcdCluster.start(3);
                TestDatabase database = TestDatabase.create();
                Workplace place = Workplace.open(
                        Site.of("etcd", StoreKind.ETCD, worker -> HolderFaults.addresses(etcd), database.jdbcUrl()))) {
            place.befall(Fault.LEADER_KILLED, Set.of(KEPT, TOLD_BEFORE), holder -> {
                int leader = etcd.leader();
                etcd.kill(leader);
                Await.until("another leader", () -> etcd.leader() != leader);
                place.awaitHolder();
                place.awaitCommits(1);
                etcd.restart(leader);
            });
            if (Results.all()) {
                moreOfEtcd(place, etcd);
            }
            place.assertNothingStale();
            place.done();
        }
    }

    private static void moreOfEtcd(Workplace place, EtcdCluster etcd) {
        HolderFaults.pausedAndKilled(place);
        place.befall(Fault.LEADER_PAUSED, Set.of(KEPT, TOLD_BEFORE), holder -> {
            int leader = etcd.leader();
            etcd.pause(leader);
            last(Duration.ofSeconds(4));
            etcd.resume(leader);
        });
        place.befall(Fault.STORE_RESTARTED, Set.of(KEPT, TOLD_BEFORE), holder -> {
            List.of(0, 1, 2).forEach(etcd::kill);
            List.of(0, 1).forEach(etcd::restartWithoutWaiting);
            etcd.restart(2);
        });
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void redisCluster() {
        try (RedisCluster cluster = RedisCluster.start();
                TestDatabase database = TestDatabase.create();
                Workplace place = Workplace.open(Site.of(
                        "Redis Cluster",
                        StoreKind.REDIS_CLUSTER,
                        worker -> HolderFaults.addresses(cluster),
                        database.jdbcUrl()))) {
            HolderFaults.pausedAndKilled(place);
            place.befallUntil(
                    Fault.LEADER_KILLED,
                    Set.of(KEPT, TOLD_BEFORE, TOLD_AFTER),
                    holder -> {
                        RedisServer master = cluster.masterOf("cerrojo:lease:counter");
                        master.kill();
                        cluster.awaitFailover(master);
                    },
                    rounds -> rounds.size() == 1); // its replica is master then, and has none
            place.assertNothingStale();
            place.done();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void postgres() {
        EmbeddedPostgres.Options durable =
                EmbeddedPostgres.Options.builder().durable(true).build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(durable);
                Workplace place =
                        Workplace.open(Site.of("PostgreSQL", StoreKind.POSTGRES, worker -> "", server.jdbcUrl()))) {
            HolderFaults.pausedAndKilled(place);
            place.befall(Fault.STORE_RESTARTED, Set.of(GIVEN_BACK, TOLD_BEFORE), holder -> {
                server.kill();
                server.restart();
            });
            place.befall(Fault.STORE_PAUSED, Set.of(TOLD_BEFORE), holder -> {
                long start = System.nanoTime();
                ServerSignals signals = ServerSignals.to(server);
                signals.stop();
                holder.awaitLoss(start);
                signals.goOn();
            });
            place.assertNothingStale();
            place.done();
        }
    }
}
