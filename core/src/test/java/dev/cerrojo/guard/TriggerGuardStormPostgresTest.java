package dev.cerrojo.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.sessions.Session;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writers of mixed isolation levels at once, and a reader who must never see the invariant broken. */
class TriggerGuardStormPostgresTest {
    private static final int WRITERS = 4;
    private static final int TRANSACTIONS = 100;
    private static final int CONTROLS = 20;
    private static final Set<String> EXPECTED = Set.of("23514", "40001", "40P01");

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noSnapshotShowsAShiftWithoutDoctor(boolean deferred) throws Exception {
        try (Hospital hospital = new Hospital().guarded(GuardOptions.defaults().withDeferred(deferred))) {
            assertThat(violatedSnapshots(hospital)).isZero();
        }
    }

    @Test
    void controlWithoutTheGuardShowsOne() throws Exception {
        try (Hospital hospital = new Hospital()) {
            int violated = 0;
            for (int storm = 0; storm < CONTROLS && violated == 0; storm++) {
                violated = violatedSnapshots(hospital);
            }
            assertThat(violated).isPositive();
        }
    }

    private static int violatedSnapshots(Hospital hospital) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(threads.submit(() -> {
                    write(hospital, new Random(writer));
                    return null;
                }));
            }
            return violatedSnapshots(hospital.session(), writers);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int violatedSnapshots(Session reader, List<Future<?>> writers)
            throws SQLException, ExecutionException, InterruptedException {
        int violated = 0;
        boolean done = false;
        while (!done) {
            done = writers.stream().allMatch(Future::isDone);
            violated += reader.rows(Hospital.COVERAGE.violationSql()).isEmpty() ? 0 : 1;
        }
        for (Future<?> writer : writers) {
            writer.get();
        }
        return violated;
    }

    private static void write(Hospital hospital, Random random) throws SQLException {
        try (Session session = hospital.newSession()) {
            for (int i = 0; i < TRANSACTIONS; i++) {
                try {
                    session.run("BEGIN ISOLATION LEVEL " + Isolation.values()[random.nextInt(3)].sql());
                    for (int statements = random.nextInt(3); statements >= 0; statements--) {
                        session.run(statement(random));
                    }
                    session.run("COMMIT");
                } catch (SQLException refused) {
                    assertThat(refused.getSQLState()).isIn(EXPECTED);
                    session.run("ROLLBACK");
                }
            }
        }
    }

    /** Checks first, as a careful application does, and so removes most doctors only when another one is left. */
    private static String statement(Random random) {
        int shift = 1 + random.nextInt(3);
        char doctor = (char) ('A' + random.nextInt(3));
        return switch (random.nextInt(6)) {
            case 0 -> "INSERT INTO on_call VALUES (%d, '%s') ON CONFLICT DO NOTHING".formatted(shift, doctor);
            case 1 -> "UPDATE on_call SET active = true WHERE shift_id = %d AND doctor = '%s'".formatted(shift, doctor);
            case 2 ->
                "UPDATE shift SET active = NOT active WHERE id = 3 AND (SELECT count(*) FROM on_call"
                        + " WHERE shift_id = 3 AND active) > 0";
            case 3 ->
                "DELETE FROM on_call WHERE shift_id = %d AND doctor = '%s' AND %s"
                        .formatted(shift, doctor, anotherIsLeft(shift, doctor));
            default ->
                "UPDATE on_call SET active = false WHERE shift_id = %d AND doctor = '%s' AND %s"
                        .formatted(shift, doctor, anotherIsLeft(shift, doctor));
        };
    }

    private static String anotherIsLeft(int shift, char doctor) {
        return "EXISTS (SELECT 1 FROM on_call WHERE shift_id = %d AND doctor <> '%s' AND active AND qualified)"
                .formatted(shift, doctor);
    }
}
