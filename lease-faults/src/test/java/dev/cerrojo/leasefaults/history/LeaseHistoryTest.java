package dev.cerrojo.leasefaults.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.leasefaults.StoreKind;
import dev.cerrojo.leasefaults.history.Call.Kind;
import dev.cerrojo.leasefaults.history.Call.Told;
import dev.cerrojo.leasefaults.history.Recorder.Behavior;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.process.ChildJvm;
import dev.cerrojo.testsupport.process.TestProcess;
import dev.cerrojo.testsupport.server.EtcdCluster;
import dev.cerrojo.testsupport.server.RedisServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Three processes want leases of one entity and of its groups; one of them is stopped for longer than a lease lasts, one is killed. What they
 * were told must be linearizable. The number of grants to wait for is {@code -Dcerrojo.leases.grants=…}.
 */
class LeaseHistoryTest {
    private static final int PROCESSES = 3;
    private static final int GRANTS = Integer.getInteger("cerrojo.leases.grants", 16);

    /** Of stores that look at the time whenever they are asked. */
    private static final Timing PUNCTUAL = new Timing(Duration.ofMillis(300), Duration.ofMillis(20));

    /** etcd looks for what is over twice a second, and knows no shorter leases than two elections. */
    private static final Timing OF_ETCD = new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2));

    @Test
    void onPostgres() throws SQLException {
        try (TestDatabase database = database()) {
            assertLinearizable(new Recording(StoreKind.POSTGRES, "", database, Behavior.RIGHT, PUNCTUAL), GRANTS);
        }
    }

    @Test
    void onRedis() throws SQLException {
        try (TestDatabase database = database();
                RedisServer server = RedisServer.start()) {
            assertLinearizable(
                    new Recording(StoreKind.REDIS, server.url(), database, Behavior.RIGHT, PUNCTUAL), GRANTS);
        }
    }

    @Test
    void onEtcd() throws SQLException {
        try (TestDatabase database = database();
                EtcdCluster etcd = EtcdCluster.start(1)) {
            assertLinearizable(
                    new Recording(StoreKind.ETCD, addresses(etcd), database, Behavior.RIGHT, OF_ETCD), GRANTS / 2);
        }
    }

    @Test
    void fencedCommitsOnPostgres() throws SQLException {
        try (TestDatabase database = database()) {
            assertFenced(new Recording(StoreKind.POSTGRES, "", database, Behavior.FENCED, PUNCTUAL));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "cerrojo.leases", matches = "all")
    void fencedCommitsOnRedis() throws SQLException {
        try (TestDatabase database = database();
                RedisServer server = RedisServer.start()) {
            assertFenced(new Recording(StoreKind.REDIS, server.url(), database, Behavior.FENCED, PUNCTUAL));
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "cerrojo.leases", matches = "all")
    void fencedCommitsOnEtcd() throws SQLException {
        try (TestDatabase database = database();
                EtcdCluster etcd = EtcdCluster.start(1)) {
            assertFenced(new Recording(StoreKind.ETCD, addresses(etcd), database, Behavior.FENCED, OF_ETCD));
        }
    }

    /** The control: who says "renewed" of what is lost. */
    @Test
    void aStoreThatRenewsWhatIsLostIsFound() throws SQLException {
        assertFound(Behavior.RENEWS_WHAT_IS_LOST);
    }

    /** The control: a refusal without a reason. */
    @Test
    void aStoreThatRefusesEverybodyIsFound() throws SQLException {
        assertFound(Behavior.REFUSES_EVERYBODY);
    }

    /** The control: the same transactions with the fence off. */
    @Test
    void withoutTheFenceAStaleCommitIsFound() throws SQLException {
        assertFound(Behavior.UNFENCED);
    }

    private static String addresses(EtcdCluster etcd) {
        return etcd.endpoints().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static TestDatabase database() throws SQLException {
        TestDatabase database = TestDatabase.create();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        Schema.over(source).ready(SchemaMode.CREATE);
        return database;
    }

    /**
     * What is recorded.
     *
     * @param database where the store is, or where its transactions are
     */
    private record Recording(StoreKind kind, String address, TestDatabase database, Behavior behavior, Timing timing) {
        List<TestProcess> start() {
            return IntStream.range(0, PROCESSES)
                    .mapToObj(seed -> ChildJvm.start(
                            Recorder.class,
                            kind.name(),
                            address,
                            database.jdbcUrl(),
                            String.valueOf(seed),
                            behavior.name(),
                            String.valueOf(timing.lease().toMillis())))
                    .toList();
        }
    }

    private static void assertLinearizable(Recording recording, int grants) {
        List<TestProcess> processes = recording.start();
        try {
            awaitGrants(processes, grants / 4);
            processes.get(0).pause();
            awaitGrants(processes, grants / 2);
            processes.get(0).resume();
            processes.get(1).kill();
            awaitGrants(processes, grants);
        } finally {
            processes.forEach(TestProcess::close);
        }
        assertLinearizable(recording, calls(processes));
    }

    /** Who is stopped in a transaction that is fenced would keep all others out for as long. */
    private static void assertFenced(Recording recording) {
        List<TestProcess> processes = recording.start();
        try {
            awaitGrants(processes, GRANTS / 2);
            processes.get(1).kill();
            awaitGrants(processes, GRANTS);
            Await.until(
                    "commits, and some that are refused",
                    () -> count(calls(processes), Kind.COMMIT, Told.YES) > 2
                            && count(calls(processes), Kind.COMMIT, Told.NO) > 0);
        } finally {
            processes.forEach(TestProcess::close);
        }
        assertLinearizable(recording, calls(processes));
    }

    private static void assertLinearizable(Recording recording, List<Call> calls) {
        System.out.printf(
                "%s, %s: %d calls of %d processes, %d grants, %d refusals, %d commits, %d commits refused%n",
                recording.kind(),
                recording.behavior(),
                calls.size(),
                PROCESSES,
                count(calls, Kind.ACQUIRE, Told.YES),
                count(calls, Kind.ACQUIRE, Told.NO),
                count(calls, Kind.COMMIT, Told.YES),
                count(calls, Kind.COMMIT, Told.NO));
        assertThat(calls).anyMatch(call -> call.told() == Told.NO);
        assertThat(Linearization.violation(calls, recording.timing()))
                .as("calls that no order gets past, of %s", calls)
                .isEmpty();
    }

    private static void assertFound(Behavior flaw) throws SQLException {
        try (TestDatabase database = database()) {
            List<TestProcess> processes = new Recording(StoreKind.POSTGRES, "", database, flaw, PUNCTUAL).start();
            try {
                Await.until(
                        "what is wrong is recorded",
                        () -> Linearization.violation(calls(processes), PUNCTUAL)
                                .isPresent());
            } finally {
                processes.forEach(TestProcess::close);
            }
        }
    }

    private static void awaitGrants(List<TestProcess> processes, int number) {
        Await.until(number + " grants", () -> count(calls(processes), Kind.ACQUIRE, Told.YES) >= number);
    }

    private static long count(List<Call> calls, Kind kind, Told told) {
        return calls.stream()
                .filter(call -> call.kind() == kind && call.told() == told)
                .count();
    }

    private static List<Call> calls(List<TestProcess> processes) {
        return processes.stream()
                .flatMap(process -> Transcript.calls(process.lines()).stream())
                .toList();
    }
}
