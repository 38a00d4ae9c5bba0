package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.invariant.SerializationPoint;
import dev.cerrojo.tx.Isolation;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/**
 * What rows put in order already, without a guard (a cascade locks the rows that it changes), the trigger guard must leave
 * without a deadlock and without an error of its own. And where it cannot: several statements in opposite orders.
 */
class ScopeRowsInterleavingTest {
    private static final ProofTable TABLE = ProofTable.byLevel("scope rows that go, statements in opposite orders");
    private static final SerializationPoint TOUCH = SerializationPoint.touch(Hospital.COVERAGE);
    private Hospital hospital;

    @BeforeEach
    void open() throws SQLException {
        hospital = Hospital.of().guardedBy(TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()));
    }

    @AfterEach
    void close() {
        hospital.close();
    }

    @AfterAll
    static void print() {
        TABLE.publish();
    }

    private Trial trial(Isolation level, String one, String other) {
        Trial trial = new Trial(hospital).holds(Hospital.COVERAGE).neverDeadlocks();
        return trial.session(trial.sessions().raw(level, one))
                .session(trial.sessions().raw(level, other));
    }

    private static void holds(String what, Isolation level, Trial trial) {
        Findings findings = trial.explore();
        TABLE.add(what, level, findings.verdict(), findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void aScopeRowIsDeletedWhileADoctorLeaves(Isolation level) {
        Trial trial = trial(level, "DELETE FROM shift WHERE id = 1", leave(1, "A"));

        holds("a scope row is deleted, with its rows by cascade", level, trial);

        if (level == Isolation.READ_COMMITTED) {
            assertThat(trial.endings()).containsExactly("[" + Trial.COMMITTED + ", " + Trial.COMMITTED + "]");
        }
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void aScopesKeyChangesByCascadeWhileADoctorLeaves(Isolation level) {
        Trial trial = trial(level, "UPDATE shift SET id = 10 WHERE id = 1", leave(1, "A"));

        holds("a scope row's key changes, with its rows by cascade", level, trial);

        if (level == Isolation.READ_COMMITTED) {
            assertThat(trial.endings()).containsExactly("[" + Trial.COMMITTED + ", " + Trial.COMMITTED + "]");
        }
    }

    /** The limit that the guard's documentation states: rows are locked before the guard. */
    @Test
    void severalStatementsInOppositeOrdersCanDeadlock() {
        Trial trial = new Trial(hospital).neverDeadlocks();
        trial.session(trial.sessions().raw(Isolation.READ_COMMITTED, leave(1, "A"), leave(2, "A")))
                .session(trial.sessions().raw(Isolation.READ_COMMITTED, leave(2, "B"), leave(1, "B")));

        Findings findings = trial.explore();

        TABLE.add(
                "control: two statements in opposite orders",
                Isolation.READ_COMMITTED.sql(),
                "deadlocks",
                findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
    }

    /** And its cure, by the library and in any language. */
    @Test
    void withTheGuardTakenFirstTheyDoNot() {
        Trial trial = new Trial(hospital).holds(Hospital.COVERAGE).neverDeadlocks();
        String both =
                "SELECT cerrojo.touch_on_call_coverage(id) FROM (SELECT id FROM shift WHERE id < 3 ORDER BY id::text) s";
        trial.session(trial.sessions()
                        .guarded(
                                List.of(TOUCH.at(2), TOUCH.at(1)),
                                Isolation.READ_COMMITTED,
                                leave(1, "A"),
                                leave(2, "A")))
                .session(trial.sessions().raw(Isolation.READ_COMMITTED, both, leave(2, "B"), leave(1, "B")));

        holds("two statements in opposite orders, guard taken first", Isolation.READ_COMMITTED, trial);
    }

    /** Not interleaved: the driver's COPY passes the gates. What COPY does to the triggers is what INSERT … SELECT does. */
    @Test
    void copyIsGuardedAsInsertIs() throws SQLException, IOException {
        try (Hospital crowd =
                        Hospital.of().guardedBy(TriggerGuard.of(Hospital.atMostThree(), GuardOptions.defaults()));
                Connection connection = crowd.dataSource().getConnection()) {
            var copy = connection.unwrap(PGConnection.class).getCopyAPI();
            assertThat(copy.copyIn("COPY on_call FROM STDIN", new StringReader("1\tC\tt\n")))
                    .isEqualTo(1);
            assertThatThrownBy(() -> copy.copyIn("COPY on_call FROM STDIN", new StringReader("2\tC\tt\n1\tD\tt\n")))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("23514"));
        }
    }
}
