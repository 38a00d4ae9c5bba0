package dev.cerrojo.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariants;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two transactions that would break the invariant only together. */
class TriggerGuardConcurrencyPostgresTest {
    private static final GuardOptions DEFAULTS = GuardOptions.defaults();
    private static final String REMOVE_A = "UPDATE on_call SET active = false WHERE shift_id = 1 AND doctor = 'A'";
    private static final String REMOVE_B = "DELETE FROM on_call WHERE shift_id = 1 AND doctor = 'B'";

    private Hospital hospital;
    private Session first;
    private Session second;

    @BeforeEach
    void open() throws SQLException {
        hospital = new Hospital();
        first = hospital.newSession();
        second = hospital.newSession();
    }

    @AfterEach
    void close() throws SQLException {
        first.close();
        second.close();
        hospital.close();
    }

    static Stream<Arguments> levels() {
        return Stream.of(Isolation.values())
                .flatMap(one -> Stream.of(Isolation.values()).map(other -> Arguments.of(one, other)));
    }

    @ParameterizedTest
    @MethodSource("levels")
    void secondOfTwoRemovalsWaitsAndIsRefused(Isolation firstLevel, Isolation secondLevel) throws Exception {
        hospital.guarded();

        removeBoth(firstLevel, secondLevel);
    }

    @ParameterizedTest
    @MethodSource("levels")
    void guardRowThatExistsAlreadyIsNoDifference(Isolation firstLevel, Isolation secondLevel) throws Exception {
        hospital.guarded();
        first.run("INSERT INTO on_call VALUES (1, 'C'); DELETE FROM on_call WHERE doctor = 'C'");

        removeBoth(firstLevel, secondLevel);
    }

    private void removeBoth(Isolation firstLevel, Isolation secondLevel) throws Exception {
        begin(first, firstLevel);
        begin(second, secondLevel);
        first.run(REMOVE_A);
        CompletableFuture<String> waiting = second.start(REMOVE_B);
        second.awaitBlockedBy(first, hospital.session());
        first.run("COMMIT");

        assertThat(Session.await(waiting)).isEqualTo(refusal(secondLevel));
        second.run("ROLLBACK");
        assertHolds();
    }

    /** Without the guard both commit, at SERIALIZABLE too: neither reads what the other writes. */
    @ParameterizedTest
    @MethodSource("levels")
    void controlWithoutTheGuardViolates(Isolation firstLevel, Isolation secondLevel) throws Exception {
        hospital.guarded();
        hospital.session().run(TriggerGuard.of(Hospital.COVERAGE, DEFAULTS).dropStatements());
        begin(first, firstLevel);
        begin(second, secondLevel);

        first.run(REMOVE_A);
        second.run(REMOVE_B);
        first.run("COMMIT");
        second.run("COMMIT");

        assertThat(hospital.session().rows(Hospital.COVERAGE.violationSql())).containsExactly("1|0|1");
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void deferredGuardHoldsWhenTheCommitsOverlap(Isolation level) throws Exception {
        hospital.guarded(DEFAULTS.withDeferred(true));
        begin(first, level);
        begin(second, level);

        first.run(REMOVE_A);
        CompletableFuture<String> waiting = second.start(REMOVE_B);
        second.awaitBlockedBy(first, hospital.session());
        first.run("SET CONSTRAINTS ALL IMMEDIATE");
        first.run("COMMIT");

        String removal = Session.await(waiting);
        if (level == Isolation.READ_COMMITTED) {
            assertThat(removal).isEqualTo("00000");
            assertThat(second.sqlState("COMMIT")).isEqualTo("23514");
        } else {
            assertThat(removal).isEqualTo("40001");
        }
        second.run("ROLLBACK");
        assertHolds();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void activatingAShiftMeetsTheRemovalOfItsLastDoctor(Isolation level) throws Exception {
        hospital.session().run("INSERT INTO on_call VALUES (3, 'C')");
        hospital.guarded();
        begin(first, level);
        begin(second, level);

        first.run("DELETE FROM on_call WHERE shift_id = 3");
        CompletableFuture<String> waiting = second.start("UPDATE shift SET active = true WHERE id = 3");
        second.awaitBlockedBy(first, hospital.session());
        first.run("COMMIT");

        assertThat(Session.await(waiting)).isEqualTo(refusal(level));
        second.run("ROLLBACK");
        assertHolds();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void newShiftMeetsTheRemovalOfADoctorWhoIsThereAlready(Isolation level) throws Exception {
        hospital.session().run("ALTER TABLE on_call DROP CONSTRAINT on_call_shift_id_fkey");
        hospital.session().run("INSERT INTO on_call VALUES (4, 'C')");
        hospital.guarded();
        begin(first, level);
        begin(second, level);

        first.run("INSERT INTO shift VALUES (4, true)");
        CompletableFuture<String> waiting = second.start("DELETE FROM on_call WHERE shift_id = 4");
        second.awaitBlockedBy(first, hospital.session());
        first.run("COMMIT");

        assertThat(Session.await(waiting)).isEqualTo(refusal(level));
        second.run("ROLLBACK");
        assertHolds();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void truncateMeetsTheActivationOfAShift(Isolation level) throws Exception {
        hospital.session().run("TRUNCATE on_call, shift");
        hospital.session().run("INSERT INTO shift VALUES (3, false); INSERT INTO on_call VALUES (3, 'C')");
        hospital.guarded();
        begin(first, Isolation.READ_COMMITTED);
        begin(second, level);

        first.run("TRUNCATE on_call");
        CompletableFuture<String> waiting = second.start("UPDATE shift SET active = true WHERE id = 3");
        second.awaitBlockedBy(first, hospital.session());
        first.run("COMMIT");

        assertThat(Session.await(waiting)).isIn("23514", "40001");
        second.run("ROLLBACK");
        assertHolds();
    }

    /** It would remove the doctor of a shift that its snapshot does not show, and touch no guard row of that shift's. */
    @ParameterizedTest
    @EnumSource(
            value = Isolation.class,
            names = {"REPEATABLE_READ", "SERIALIZABLE"})
    void truncateWithAnOldSnapshotIsRefused(Isolation level) throws Exception {
        hospital.session().run("UPDATE shift SET active = false");
        hospital.guarded();
        begin(first, level);
        first.run("SELECT FROM shift");
        hospital.session()
                .run("BEGIN; INSERT INTO shift VALUES (4, false); INSERT INTO on_call VALUES (4, 'C');"
                        + "UPDATE shift SET active = true WHERE id = 4; COMMIT");

        assertThat(first.sqlState("TRUNCATE on_call")).isEqualTo("55000");

        first.run("ROLLBACK");
        assertHolds();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void addingADoctorNeitherWaitsNorMakesOthersWait(Isolation level) throws Exception {
        hospital.guarded();
        begin(first, level);
        begin(second, level);

        first.run(REMOVE_A);
        second.run("INSERT INTO on_call VALUES (1, 'C')");
        second.run("COMMIT");
        first.run("COMMIT");

        assertHolds();
    }

    @Test
    void doctorWhoIsNotCommittedDoesNotCount() throws Exception {
        hospital.guarded();
        begin(first, Isolation.READ_COMMITTED);
        begin(second, Isolation.READ_COMMITTED);

        first.run("INSERT INTO on_call VALUES (1, 'C')");
        assertThat(second.sqlState("DELETE FROM on_call WHERE shift_id = 1 AND doctor IN ('A', 'B')"))
                .isEqualTo("23514");
        second.run("ROLLBACK");
        first.run("ROLLBACK");
        assertHolds();
    }

    /** Its snapshot shows a doctor who was removed before the guard was there, so no guard row tells. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void transactionThatIsOlderThanTheGuardIsRefused(Isolation level) throws Exception {
        begin(first, level);
        second.run(REMOVE_A);
        hospital.guarded();

        assertThat(first.sqlState(REMOVE_B)).isEqualTo(refusal(level));
        first.run("ROLLBACK");
        assertHolds();
    }

    /** A known limit: guard rows must stay. Without the row, nothing tells an old snapshot of the other removal. */
    @Test
    void guardRowThatWasDeletedLetsAnOldSnapshotPass() throws Exception {
        hospital.guarded();
        begin(first, Isolation.REPEATABLE_READ);
        second.run(REMOVE_A);
        second.run("DELETE FROM cerrojo.guard");

        first.run(REMOVE_B);
        first.run("COMMIT");

        assertThat(hospital.session().rows(Hospital.COVERAGE.violationSql())).containsExactly("1|0|1");
    }

    @Test
    void otherScopesDoNotWait() throws Exception {
        hospital.guarded();
        begin(first, Isolation.READ_COMMITTED);
        begin(second, Isolation.SERIALIZABLE);

        first.run(REMOVE_A);
        second.run("DELETE FROM on_call WHERE shift_id = 2 AND doctor = 'A'");
        second.run("COMMIT");
        first.run("COMMIT");

        assertHolds();
    }

    @Test
    void secondProceedsWhenTheFirstRollsBack() throws Exception {
        hospital.guarded();
        begin(first, Isolation.REPEATABLE_READ);
        begin(second, Isolation.REPEATABLE_READ);

        first.run(REMOVE_A);
        CompletableFuture<String> waiting = second.start(REMOVE_B);
        second.awaitBlockedBy(first, hospital.session());
        first.run("ROLLBACK");

        assertThat(Session.await(waiting)).isEqualTo("00000");
        second.run("COMMIT");
        assertHolds();
    }

    @Test
    void statementsOverManyScopesDoNotDeadlock() throws Exception {
        Session setup = hospital.session();
        setup.run("INSERT INTO shift SELECT g, true FROM generate_series(10, 60) AS g");
        setup.run("INSERT INTO on_call SELECT g, d FROM generate_series(10, 60) AS g, unnest('{A,B,C}'::text[]) AS d");
        setup.run("INSERT INTO on_call SELECT g, 'D' FROM generate_series(60, 10, -1) AS g");
        hospital.guarded();
        String flip = "UPDATE on_call SET active = NOT active WHERE doctor = '%s' AND shift_id >= 10";

        for (int round = 0; round < 20; round++) {
            List<CompletableFuture<String>> both =
                    List.of(first.start(flip.formatted("C")), second.start(flip.formatted("D")));
            for (CompletableFuture<String> outcome : both) {
                assertThat(Session.await(outcome)).isEqualTo("00000");
            }
        }
        assertHolds();
    }

    @Test
    void guardRowsOfAnotherInvariantDoNotWait() throws Exception {
        hospital.guarded();
        hospital.session()
                .run(TriggerGuard.of(Invariants.atLeastOneDoctor("another"), DEFAULTS)
                        .installStatements());
        begin(first, Isolation.READ_COMMITTED);

        first.run("INSERT INTO cerrojo.guard VALUES ('another', '1')");
        second.run("INSERT INTO cerrojo.guard VALUES ('on_call_coverage', '1')");

        first.run("ROLLBACK");
    }

    private static void begin(Session session, Isolation level) throws SQLException {
        session.run("BEGIN ISOLATION LEVEL " + level.sql());
        if (level != Isolation.READ_COMMITTED) {
            session.run("SELECT 1");
        }
    }

    private static String refusal(Isolation level) {
        return level == Isolation.READ_COMMITTED ? "23514" : "40001";
    }

    private void assertHolds() throws SQLException {
        assertThat(hospital.session().rows(Hospital.COVERAGE.violationSql())).isEmpty();
    }
}
