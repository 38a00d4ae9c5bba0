package dev.cerrojo.leasefaults.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.leasefaults.StoreKind;
import dev.cerrojo.leasefaults.history.Call.Kind;
import dev.cerrojo.leasefaults.history.Call.Told;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.process.ChildJvm;
import dev.cerrojo.testsupport.process.TestProcess;
import dev.cerrojo.testsupport.server.RedisServer;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Three processes want one lease; one of them is stopped for longer than it lasts, one is killed. What they were told must be linearizable.
 * The number of grants to wait for is {@code -Dcerrojo.leases.grants=…}.
 */
class LeaseHistoryTest {
    private static final int PROCESSES = 3;
    private static final int GRANTS = Integer.getInteger("cerrojo.leases.grants", 16);

    @Test
    void onPostgres() throws SQLException {
        try (TestDatabase database = database()) {
            assertLinearizable("PostgreSQL", recorded(StoreKind.POSTGRES, "", database, false));
        }
    }

    @Test
    void onRedis() throws SQLException {
        try (TestDatabase database = database();
                RedisServer server = RedisServer.start()) {
            assertLinearizable("Redis", recorded(StoreKind.REDIS, server.url(), database, false));
        }
    }

    /** The control: who says "renewed" of what is lost. */
    @Test
    void aStoreThatRenewsWhatIsLostIsFound() throws SQLException {
        try (TestDatabase database = database()) {
            List<Call> calls = recorded(StoreKind.POSTGRES, "", database, true);

            assertThat(Linearization.violation(calls, Recorder.LEASE.toNanos())).isPresent();
        }
    }

    private static TestDatabase database() throws SQLException {
        TestDatabase database = TestDatabase.create();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.jdbcUrl());
        Schema.over(source).ready(SchemaMode.CREATE);
        return database;
    }

    private static List<Call> recorded(StoreKind kind, String address, TestDatabase database, boolean isFlawed) {
        List<TestProcess> processes = IntStream.range(0, PROCESSES)
                .mapToObj(seed -> ChildJvm.start(
                        Recorder.class,
                        kind.name(),
                        address,
                        database.jdbcUrl(),
                        String.valueOf(seed),
                        String.valueOf(isFlawed)))
                .toList();
        try {
            awaitGrants(processes, GRANTS / 4);
            processes.get(0).pause();
            awaitGrants(processes, GRANTS / 2);
            processes.get(0).resume();
            processes.get(1).kill();
            awaitGrants(processes, GRANTS);
            if (isFlawed) {
                Await.until(
                        "a renewal of what another has got",
                        () -> !Linearization.violation(calls(processes), Recorder.LEASE.toNanos())
                                .isEmpty());
            }
        } finally {
            processes.forEach(TestProcess::close);
        }
        return calls(processes);
    }

    private static void awaitGrants(List<TestProcess> processes, int number) {
        Await.until(number + " grants", () -> grants(calls(processes)) >= number);
    }

    private static long grants(List<Call> calls) {
        return calls.stream()
                .filter(call -> call.kind() == Kind.ACQUIRE && call.told() == Told.YES)
                .count();
    }

    private static List<Call> calls(List<TestProcess> processes) {
        return processes.stream()
                .flatMap(process -> Transcript.calls(process.lines()).stream())
                .toList();
    }

    private static void assertLinearizable(String store, List<Call> calls) {
        System.out.printf("%s: %d calls of %d processes, %d grants%n", store, calls.size(), PROCESSES, grants(calls));
        assertThat(calls).anyMatch(call -> call.told() == Told.NO);
        assertThat(Linearization.violation(calls, Recorder.LEASE.toNanos()))
                .as("calls that no order gets past, of %s", calls)
                .isEmpty();
    }
}
