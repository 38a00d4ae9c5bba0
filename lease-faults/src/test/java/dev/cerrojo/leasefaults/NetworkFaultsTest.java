package dev.cerrojo.leasefaults;

import static dev.cerrojo.leasefaults.Outcome.GIVEN_BACK;
import static dev.cerrojo.leasefaults.Outcome.KEPT;
import static dev.cerrojo.leasefaults.Outcome.TOLD_BEFORE;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.proxy.Direction;
import dev.cerrojo.testsupport.proxy.TcpProxy;
import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Each worker gets at its store through a proxy of its own, and the proxies fail. */
class NetworkFaultsTest {
    private static final String ALL = "cerrojo.leases";
    private static final Duration TWO_LEASES = Duration.ofSeconds(2);
    private static final int TIMES = 10;

    /** The two workers' proxies to a port. */
    private record Proxies(List<TcpProxy> all) implements AutoCloseable {
        static Proxies to(int port) {
            return new Proxies(List.of(TcpProxy.to("127.0.0.1", port), TcpProxy.to("127.0.0.1", port)));
        }

        int port(int worker) {
            return all.get(worker).port();
        }

        TcpProxy of(WorkerProcess holder) {
            return all.get(holder.index());
        }

        @Override
        public void close() {
            all.forEach(TcpProxy::close);
        }
    }

    /** How long a fault lasts that nobody needs to notice. */
    private static void last(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    @Test
    void redis() {
        redisBy("Network to Redis", StoreKind.REDIS);
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void redisByJedis() {
        redisBy("Network to Redis by Jedis", StoreKind.REDIS_BY_JEDIS);
    }

    private static void redisBy(String title, StoreKind kind) {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                Proxies proxies = Proxies.to(server.port());
                Workplace place = Workplace.open(Site.of(
                        title, kind, worker -> "redis://127.0.0.1:" + proxies.port(worker), database.jdbcUrl()))) {
            heldBack(place, proxies);
            if (Results.all()) {
                more(place, proxies);
            }
            place.assertNothingStale();
            place.done();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void etcd() {
        try (EtcdCluster etcd = EtcdCluster.start(1);
                TestDatabase database = TestDatabase.create();
                Proxies proxies = Proxies.to(etcd.endpoints().get(0).getPort());
                Workplace place = Workplace.open(Site.of(
                        "Network to etcd",
                        StoreKind.ETCD,
                        worker -> "http://127.0.0.1:" + proxies.port(worker),
                        database.jdbcUrl()))) {
            heldBack(place, proxies);
            more(place, proxies);
            place.assertNothingStale();
            place.done();
        }
    }

    private static void more(Workplace place, Proxies proxies) {
        delayed(place, proxies);
        broken(place, proxies, Set.of(KEPT, TOLD_BEFORE));
        refused(place, proxies, Set.of(TOLD_BEFORE));
    }

    /** Here the work itself goes through the network, too, so it may fail before the lease is over. */
    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void postgres() {
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                Proxies proxies = Proxies.to(port(server));
                Workplace place = Workplace.open(Site.of(
                        "Network to PostgreSQL",
                        StoreKind.POSTGRES,
                        worker -> server.jdbcUrl().replace(":" + port(server) + "/", ":" + proxies.port(worker) + "/"),
                        server.jdbcUrl()))) {
            heldBack(place, proxies);
            delayed(place, proxies);
            broken(place, proxies, Set.of(GIVEN_BACK, TOLD_BEFORE));
            refused(place, proxies, Set.of(GIVEN_BACK, TOLD_BEFORE));
            place.assertNothingStale();
            place.done();
        }
    }

    private static int port(EmbeddedPostgres server) {
        return URI.create(server.jdbcUrl().substring("jdbc:".length())).getPort();
    }

    private static void heldBack(Workplace place, Proxies proxies) {
        place.befall(Fault.HELD_BACK, Set.of(TOLD_BEFORE), holder -> {
            proxies.of(holder).hold();
            place.awaitSuccessor(holder);
            proxies.of(holder).pass();
        });
    }

    private static void delayed(Workplace place, Proxies proxies) {
        place.befall(Fault.DELAYED, Set.of(KEPT), holder -> {
            proxies.all().forEach(proxy -> proxy.delay(Duration.ofMillis(50)));
            last(TWO_LEASES);
            proxies.all().forEach(TcpProxy::pass);
        });
    }

    private static void refused(Workplace place, Proxies proxies, Set<Outcome> allowed) {
        place.befall(Fault.REFUSED, allowed, holder -> {
            proxies.of(holder).refuse();
            place.awaitSuccessor(holder);
            proxies.of(holder).pass();
        });
    }

    private static void broken(Workplace place, Proxies proxies, Set<Outcome> allowed) {
        place.befall(Fault.RESET, allowed, holder -> repeat(() -> proxies.all().forEach(TcpProxy::cut)));
        place.befall(Fault.ANSWERS_LOST, allowed, holder -> {
            repeat(() -> proxies.of(holder).cutAfter(Direction.TO_CLIENT, 0));
            proxies.all().forEach(TcpProxy::pass);
        });
        place.befall(Fault.HALF_CLOSED_TO_SERVER, allowed, holder -> halfClose(proxies, Direction.TO_SERVER));
        place.befall(Fault.HALF_CLOSED_TO_CLIENT, allowed, holder -> halfClose(proxies, Direction.TO_CLIENT));
    }

    private static void repeat(Runnable fault) {
        for (int times = 0; times < TIMES; times++) {
            fault.run();
            last(Duration.ofMillis(150));
        }
    }

    private static void halfClose(Proxies proxies, Direction direction) {
        proxies.all().forEach(proxy -> proxy.halfClose(direction));
        last(TWO_LEASES);
    }
}
