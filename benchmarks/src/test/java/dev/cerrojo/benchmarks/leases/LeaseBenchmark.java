package dev.cerrojo.benchmarks.leases;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.etcd.EtcdLeaseStore;
import dev.cerrojo.explorer.measure.Comparison;
import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Leases beside Redisson, ShedLock and Spring Integration's registries, on the same servers in the same run: pairs of acquire and
 * release of locks that nobody else wants, and hand-overs to one who waits. PostgreSQL's commits are durable. From the root of a
 * checkout:
 *
 * <pre>{@code
 * mvn -B -Djacoco.skip=true -pl benchmarks -am -Dtest=LeaseBenchmark -Dsurefire.failIfNoSpecifiedTests=false test
 * }</pre>
 *
 * <p>{@code -Dcerrojo.benchmark.rounds=…}, {@code …clients=…} and {@code …handovers=…} change 15 rounds, 8 clients, and 200 hand-overs.
 */
class LeaseBenchmark {
    private static final int CLIENTS = Integer.getInteger("cerrojo.benchmark.clients", 8);
    private static final int HAND_OVERS = Integer.getInteger("cerrojo.benchmark.handovers", 200);
    private static final Comparison COMPARISON =
            new Comparison(CLIENTS, Integer.getInteger("cerrojo.benchmark.rounds", 15), Duration.ofMillis(400));

    @Test
    void postgres() throws Exception {
        try (EmbeddedPostgres server = server()) {
            compare("PostgreSQL", PostgresRivals.on(server, CLIENTS), PostgresRivals.on(server, CLIENTS));
        }
    }

    @Test
    void redis() throws Exception {
        try (EmbeddedPostgres postgres = server();
                RedisServer redis = RedisServer.start();
                HikariDataSource fences = PostgresRivals.pool(postgres, CLIENTS)) {
            Schema.over(fences).create();
            compare("Redis", RedisRivals.on(redis, CLIENTS, fences), RedisRivals.on(redis, CLIENTS, fences));
        }
    }

    /** Nobody else's are measured. */
    @Test
    void etcd() throws Exception {
        try (EtcdCluster etcd = EtcdCluster.start(1)) {
            compare("etcd", inEtcd(etcd), inEtcd(etcd));
        }
    }

    private static List<Rival> inEtcd(EtcdCluster etcd) {
        return List.of(Ours.in("Cerrojo", EtcdLeaseStore.over(etcd.endpoints())));
    }

    private static EmbeddedPostgres server() {
        return EmbeddedPostgres.start(EmbeddedPostgres.Options.builder()
                .durable(true)
                .setting("max_connections", "200")
                .build());
    }

    private static void compare(String store, List<Rival> rivals, List<Rival> others) throws Exception {
        try {
            printPairs(
                    store, COMPARISON.of(rivals.stream().map(PairContender::new).toList()));
            printHandOvers(store, HandOvers.measure(waiting(rivals), waiting(others), HAND_OVERS));
        } finally {
            rivals.forEach(Rival::close);
            others.forEach(Rival::close);
        }
    }

    private static List<Rival> waiting(List<Rival> rivals) {
        return rivals.stream().filter(Rival::waits).toList();
    }

    private static void printPairs(String store, List<Measured> measured) {
        System.out.printf(
                Locale.ROOT,
                "%n%s, %d clients, ratios to the first, median [quartiles]%n%-28s %9s %9s %9s  %s%n",
                store,
                CLIENTS,
                "",
                "pairs/s",
                "p50 ms",
                "p99 ms",
                "pairs ratio");
        for (Measured each : measured) {
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %9.0f %9.2f %9.2f  %.2f [%.2f %.2f]%n",
                    each.name(),
                    each.throughput().median(),
                    each.p50().median(),
                    each.p99().median(),
                    each.throughputRatio().median(),
                    each.throughputRatio().low(),
                    each.throughputRatio().high());
        }
    }

    private static void printHandOvers(String store, Map<String, double[]> latencies) {
        System.out.printf(
                Locale.ROOT, "%n%s, %d hand-overs of each%n%-28s %9s %9s%n", store, HAND_OVERS, "", "p50 ms", "p99 ms");
        latencies.forEach((name, sorted) -> System.out.printf(
                Locale.ROOT,
                "%-28s %9.2f %9.2f%n",
                name,
                HandOvers.quantile(sorted, 0.5),
                HandOvers.quantile(sorted, 0.99)));
    }
}
