package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.global;
import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The function that takes the guard of a scope before any row is locked. */
class TouchFirstPostgresTest {
    /** The first holds the guard row and wants a row; the second holds that row and wants the guard row. */
    @Test
    void transactionsOfSeveralStatementsCanDeadlockWithoutIt() throws Exception {
        assertThat(outcomesOfOppositeOrder("SELECT 1")).contains("40P01");
    }

    @Test
    void transactionsThatTakeTheGuardFirstDoNotDeadlock() throws Exception {
        assertThat(outcomesOfOppositeOrder("SELECT cerrojo.touch_on_call_coverage(1)"))
                .containsExactly("00000");
    }

    private static Set<String> outcomesOfOppositeOrder(String takesTheGuard) throws Exception {
        try (Hospital hospital = new Hospital().guarded();
                Session first = hospital.newSession();
                Session second = hospital.newSession()) {
            hospital.session().run("INSERT INTO on_call VALUES (1, 'C'), (1, 'D')");
            first.run("BEGIN; " + takesTheGuard);
            first.run("DELETE FROM on_call WHERE shift_id = 1 AND doctor = 'A'");
            CompletableFuture<String> other = second.start("""
                    BEGIN; %s; UPDATE on_call SET qualified = qualified WHERE doctor = 'B' AND shift_id = 1;
                    DELETE FROM on_call WHERE shift_id = 1 AND doctor = 'C'; COMMIT""".formatted(takesTheGuard));
            second.awaitBlockedBy(first, hospital.session());
            String mine = Session.await(first.start("DELETE FROM on_call WHERE shift_id = 1 AND doctor = 'B'"));
            first.run("COMMIT");

            return Set.of(mine.equals("00000") ? Session.await(other) : mine);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "numeric(10,2) | 1 | 1.00",
                "int | 7 | 7",
                "date | '1 February 2026' | 2026-02-01",
                "uuid | '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}' | a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                "text | ' a' | ' a'"
            })
    void scopeIsWrittenAsTheTriggersWriteIt(String type, String value, String text) throws SQLException {
        Invariant some =
                scoped("some", Scope.table("parent", "id"), "", new Rule.AtLeast(1, rows("child", "parent_id", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("CREATE TABLE parent (id %1$s); CREATE TABLE child (parent_id %1$s)".formatted(type));
            String written = value.startsWith("'") ? value : "'" + value + "'";
            session.run(TriggerGuard.of(some, GuardOptions.defaults()).installSql());
            // At once, since the driver refuses to work in another style.
            session.run("""
                    SET datestyle = 'German';
                    BEGIN; SET CONSTRAINTS cerrojo.some DEFERRED; SELECT cerrojo.touch_some(%1$s);
                    INSERT INTO parent VALUES (%1$s); INSERT INTO child VALUES (%1$s); COMMIT;
                    SET datestyle = 'ISO'""".formatted(written));

            assertThat(session.rows("SELECT scope, touched FROM cerrojo.guard")).containsExactly(text + "|1");
        }
    }

    @Test
    void globalScopeTakesNoArgument() throws SQLException {
        Invariant some =
                global("some", new Rule.AtMost(1, new Rule.Rows("on_call", Optional.empty(), Optional.of("false"))));
        try (Hospital hospital = new Hospital()) {
            Session session = hospital.session();
            session.run(TriggerGuard.of(some, GuardOptions.defaults()).installSql());
            session.run("SELECT cerrojo.touch_some()");
            session.run(SerializationPoint.touch(some).sql(""));

            assertThat(session.rows("SELECT scope, touched FROM cerrojo.guard")).containsExactly("global|1");
        }
    }

    @Test
    void scopeThatIsNullIsRefused() throws SQLException {
        try (Hospital hospital = new Hospital().guarded()) {
            assertThat(hospital.session().sqlState("SELECT cerrojo.touch_on_call_coverage(NULL)"))
                    .isEqualTo("23502");
        }
    }

    @Test
    void scriptSaysHowItIsTaken() {
        assertThat(TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()).installSql())
                .contains("--   SELECT cerrojo.touch_on_call_coverage(id)\n");
    }
}
