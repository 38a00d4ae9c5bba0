package dev.cerrojo.leasefaults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.proxy.Direction;
import dev.cerrojo.testsupport.proxy.TcpProxy;
import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Real processes hold leases and write, while they, their stores and what is between them fail. Whatever happens, nothing that a former
 * holder writes is committed; without fences, something is. Some faults in each build; all of them with {@code -Dcerrojo.leases=all}.
 */
class LeaseFaultsTest {
    private static final String ALL = "cerrojo.leases";
    private static final Duration TWO_LEASES = Worker.LEASE.multipliedBy(2);

    private static void pauseUntilAnotherHasIt(Workplace place, WorkerProcess holder) {
        holder.process().pause();
        place.awaitSuccessor(holder);
        holder.process().resume();
    }

    /** How long a fault lasts that nobody needs to notice. */
    private static void last(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    @Test
    void redis() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                Workplace place = Workplace.open(
                        "Redis", StoreKind.REDIS, worker -> server.url(), database.jdbcUrl(), true, Map.of())) {
            place.loses("holder paused past its time, resumed", holder -> pauseUntilAnotherHasIt(place, holder));
            place.loses("holder killed", holder -> holder.process().kill());
            place.loses("Redis restarted without its keys", holder -> server.restart());
            place.loses("Redis paused past the lease's time, resumed", holder -> {
                long start = System.nanoTime();
                server.pause();
                holder.awaitLoss(start);
                server.resume();
            });
            place.assertNothingStale();
        }
    }

    @Test
    void networkToRedis() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                TcpProxy first = TcpProxy.to("127.0.0.1", server.port());
                TcpProxy second = TcpProxy.to("127.0.0.1", server.port());
                Workplace place = Workplace.open(
                        "Network to Redis",
                        StoreKind.REDIS,
                        worker -> "redis://127.0.0.1:"
                                + List.of(first, second).get(worker).port(),
                        database.jdbcUrl(),
                        true,
                        Map.of())) {
            heldBack(place, List.of(first, second));
            place.assertNothingStale();
            if (System.getProperty(ALL) != null) {
                moreOfTheNetwork(place, List.of(first, second));
            }
        }
    }

    private static void moreOfTheNetwork(Workplace place, List<TcpProxy> proxies) {
        place.keeps("all packets delayed by 50 ms", holder -> {
            proxies.forEach(proxy -> proxy.delay(Duration.ofMillis(50)));
            last(TWO_LEASES);
            proxies.forEach(TcpProxy::pass);
        });
        brokenConnections(place, proxies);
        refused(place, proxies);
        place.assertNothingStale();
    }

    private static void refused(Workplace place, List<TcpProxy> proxies) {
        place.loses("connections refused past the lease's time", holder -> {
            proxies.get(holder.index()).refuse();
            place.awaitSuccessor(holder);
            proxies.get(holder.index()).pass();
        });
    }

    private static void brokenConnections(Workplace place, List<TcpProxy> proxies) {
        place.survives("connections reset, ten times", holder -> {
            for (int times = 0; times < 10; times++) {
                proxies.forEach(TcpProxy::cut);
                last(Duration.ofMillis(150));
            }
        });
        place.survives("answers lost, ten times", holder -> {
            for (int times = 0; times < 10; times++) {
                proxies.get(holder.index()).cutAfter(Direction.TO_CLIENT, 0);
                last(Duration.ofMillis(150));
            }
            proxies.forEach(TcpProxy::pass);
        });
        for (Direction direction : Direction.values()) {
            place.survives("connections half-closed, " + direction, holder -> {
                proxies.forEach(proxy -> proxy.halfClose(direction));
                last(TWO_LEASES);
            });
        }
    }

    /** Here the work itself goes through the network, too. */
    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void networkToPostgres() {
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                TcpProxy first = TcpProxy.to("127.0.0.1", port(server));
                TcpProxy second = TcpProxy.to("127.0.0.1", port(server));
                Workplace place = Workplace.open(
                        "Network to PostgreSQL",
                        StoreKind.POSTGRES,
                        worker -> through(List.of(first, second).get(worker), server),
                        server.jdbcUrl(),
                        true,
                        Map.of())) {
            heldBack(place, List.of(first, second));
            brokenConnections(place, List.of(first, second));
            place.survives("connections refused past the lease's time", holder -> {
                TcpProxy proxy = List.of(first, second).get(holder.index());
                proxy.refuse();
                place.awaitSuccessor(holder);
                proxy.pass();
            });
            place.assertNothingStale();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void networkToEtcd() {
        try (EtcdCluster etcd = EtcdCluster.start(1);
                TestDatabase database = TestDatabase.create();
                TcpProxy first =
                        TcpProxy.to("127.0.0.1", etcd.endpoints().get(0).getPort());
                TcpProxy second =
                        TcpProxy.to("127.0.0.1", etcd.endpoints().get(0).getPort());
                Workplace place = Workplace.open(
                        "Network to etcd",
                        StoreKind.ETCD,
                        worker -> "http://127.0.0.1:"
                                + List.of(first, second).get(worker).port(),
                        database.jdbcUrl(),
                        true,
                        Map.of())) {
            heldBack(place, List.of(first, second));
            moreOfTheNetwork(place, List.of(first, second));
            place.assertNothingStale();
        }
    }

    private static void heldBack(Workplace place, List<TcpProxy> proxies) {
        Tally held = place.loses("holder's packets held back past its time, then delivered", holder -> {
            TcpProxy proxy = proxies.get(holder.index());
            proxy.hold();
            place.awaitSuccessor(holder);
            proxy.pass();
        });
        assertThat(held.leastLead())
                .as("who runs is told before another has it: %s", held)
                .hasValueSatisfying(lead -> assertThat(lead).isPositive());
    }

    private static int port(EmbeddedPostgres server) {
        return URI.create(server.jdbcUrl().substring("jdbc:".length())).getPort();
    }

    private static String through(TcpProxy proxy, EmbeddedPostgres server) {
        return server.jdbcUrl().replace(":" + port(server) + "/", ":" + proxy.port() + "/");
    }

    /** The control: what the fences are for. */
    @Test
    void withoutFencesAFormerHoldersWritesAreCommitted() {
        try (TestDatabase database = TestDatabase.create();
                RedisServer server = RedisServer.start();
                Workplace place = Workplace.open(
                        "Redis without fences",
                        StoreKind.REDIS,
                        worker -> server.url(),
                        database.jdbcUrl(),
                        false,
                        Map.of())) {
            boolean stale = false;
            for (int round = 0; round < 10 && !stale; round++) {
                Tally tally = place.survives("holder paused past its time, resumed", holder -> {
                    holder.process().pause();
                    Await.until("another has it", () -> place.awaitHolder() != holder);
                    last(Duration.ofMillis(200)); // what it can write; nothing, when the paused one has locked the row
                    holder.process().resume();
                });
                stale = tally.stale() > 0 && tally.lost() > 0;
            }
            assertThat(stale).as("stale commits without fences").isTrue();
        }
    }

    @Test
    void etcd() {
        try (EtcdCluster etcd = EtcdCluster.start(3);
                TestDatabase database = TestDatabase.create();
                Workplace place = Workplace.open(
                        "etcd", StoreKind.ETCD, worker -> addresses(etcd), database.jdbcUrl(), true, Map.of())) {
            place.survives("leader of etcd killed, restarted", holder -> {
                int leader = etcd.leader();
                etcd.kill(leader);
                Await.until("another leader", () -> etcd.leader() != leader);
                place.awaitHolder();
                place.awaitCommits(1);
                etcd.restart(leader);
            });
            place.assertNothingStale();
            if (System.getProperty(ALL) != null) {
                moreOfEtcd(place, etcd);
            }
        }
    }

    private static void moreOfEtcd(Workplace place, EtcdCluster etcd) {
        place.loses("holder paused past its time, resumed", holder -> pauseUntilAnotherHasIt(place, holder));
        place.loses("holder killed", holder -> holder.process().kill());
        place.survives("leader of etcd paused, resumed", holder -> {
            int leader = etcd.leader();
            etcd.pause(leader);
            last(TWO_LEASES.multipliedBy(2));
            etcd.resume(leader);
        });
        place.survives("all members of etcd restarted", holder -> {
            List.of(0, 1, 2).forEach(etcd::kill);
            List.of(0, 1).forEach(etcd::restartWithoutWaiting);
            etcd.restart(2);
        });
        place.assertNothingStale();
    }

    private static String addresses(EtcdCluster etcd) {
        return etcd.endpoints().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void redisCluster() {
        try (RedisCluster cluster = RedisCluster.start();
                TestDatabase database = TestDatabase.create();
                Workplace place = Workplace.open(
                        "Redis Cluster",
                        StoreKind.REDIS_CLUSTER,
                        worker -> cluster.ports().stream()
                                .map(port -> "127.0.0.1:" + port)
                                .collect(Collectors.joining(",")),
                        database.jdbcUrl(),
                        true,
                        Map.of())) {
            place.loses("holder paused past its time, resumed", holder -> pauseUntilAnotherHasIt(place, holder));
            place.survives("master of the lease's slot killed", holder -> {
                RedisServer master = cluster.masterOf("cerrojo:lease:counter");
                master.kill();
                cluster.awaitFailover(master);
            });
            place.assertNothingStale();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = ALL, matches = "all")
    void postgres() {
        EmbeddedPostgres.Options durable =
                EmbeddedPostgres.Options.builder().durable(true).build();
        try (EmbeddedPostgres server = EmbeddedPostgres.start(durable);
                Workplace place = Workplace.open(
                        "PostgreSQL", StoreKind.POSTGRES, worker -> "", server.jdbcUrl(), true, Map.of())) {
            place.loses("holder paused past its time, resumed", holder -> pauseUntilAnotherHasIt(place, holder));
            place.loses("holder killed", holder -> holder.process().kill());
            place.survives("PostgreSQL killed, restarted", holder -> {
                server.kill();
                server.restart();
            });
            place.loses("PostgreSQL paused past the lease's time, resumed", holder -> {
                List<String> pids = processes(server);
                signal("-STOP", pids);
                last(TWO_LEASES);
                signal("-CONT", pids);
            });
            place.assertNothingStale();
        }
    }

    private static List<String> processes(EmbeddedPostgres server) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet file =
                        statement.executeQuery("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")) {
            file.next();
            ProcessHandle postmaster =
                    ProcessHandle.of(Long.parseLong(file.getString(1))).orElseThrow();
            return Stream.concat(Stream.of(postmaster), postmaster.descendants())
                    .map(process -> String.valueOf(process.pid()))
                    .toList();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Some may have ended meanwhile. */
    private static void signal(String which, List<String> pids) {
        try {
            List<String> words =
                    Stream.concat(Stream.of("kill", which), pids.stream()).toList();
            int unused = new ProcessBuilder(words).start().waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
