package dev.cerrojo.leasefaults;

import static dev.cerrojo.leasefaults.Outcome.KEPT;
import static dev.cerrojo.leasefaults.Outcome.TOLD_AFTER;
import static dev.cerrojo.leasefaults.Outcome.TOLD_BEFORE;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.FakeClock;
import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The clock of the holders, or of the store, is set while a lease is held. Holders have leases of 2 seconds here. */
class ClockFaultsTest {
    private static final String ALL = "cerrojo.leases";
    private static final Duration SHIFT = Duration.ofHours(5);
    private static final Duration LEASE = Duration.ofSeconds(2);

    private static FakeClock clock() {
        Optional<FakeClock> clock = FakeClock.create();
        assumeTrue(clock.isPresent(), "libfaketime is missing, so this is not tested: apt-get install libfaketime");
        return clock.orElseThrow();
    }

    @Test
    void ofHoldersOnRedis() {
        try (FakeClock clock = clock();
                TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start()) {
            shiftHolders(
                    clock,
                    Site.of("Clock of holders on Redis", StoreKind.REDIS, worker -> server.url(), database.jdbcUrl()));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void ofHoldersOnRedisByJedis() {
        try (FakeClock clock = clock();
                TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start()) {
            shiftHolders(
                    clock,
                    Site.of(
                            "Clock of holders on Redis by Jedis",
                            StoreKind.REDIS_BY_JEDIS,
                            worker -> server.url(),
                            database.jdbcUrl()));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void ofHoldersOnPostgres() {
        try (FakeClock clock = clock();
                TestDatabase database = TestDatabase.create()) {
            shiftHolders(
                    clock,
                    Site.of("Clock of holders on PostgreSQL", StoreKind.POSTGRES, worker -> "", database.jdbcUrl()));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void ofHoldersOnEtcd() {
        try (FakeClock clock = clock();
                EtcdCluster etcd = EtcdCluster.start(1);
                TestDatabase database = TestDatabase.create()) {
            shiftHolders(
                    clock,
                    Site.of(
                            "Clock of holders on etcd",
                            StoreKind.ETCD,
                            worker -> HolderFaults.addresses(etcd),
                            database.jdbcUrl()));
        }
    }

    private static void shiftHolders(FakeClock clock, Site site) {
        try (Workplace place = Workplace.open(site.withLeasesOf(LEASE).in(clock.environment()))) {
            place.befall(Fault.HOLDER_CLOCK_SHIFTED, Set.of(KEPT), holder -> {
                clock.shift(SHIFT);
                LockSupport.parkNanos(LEASE.multipliedBy(2).toNanos());
                clock.shift(Duration.ZERO);
            });
            place.assertNothingStale();
            place.done();
        }
    }

    /** Redis counts by the time of day: a lease ends at once. */
    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void ofRedis() {
        try (FakeClock clock = clock();
                TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.startOldestIn(clock.environment());
                Workplace place = Workplace.open(
                        Site.of("Clock of Redis", StoreKind.REDIS, worker -> server.url(), database.jdbcUrl()))) {
            Duration[] ahead = {Duration.ZERO};
            place.befall(Fault.STORE_CLOCK_SHIFTED, Set.of(TOLD_BEFORE, TOLD_AFTER), holder -> {
                ahead[0] = ahead[0].plus(SHIFT);
                clock.shift(ahead[0]);
            });
            place.assertNothingStale();
            place.done();
        }
    }
}
