package dev.cerrojo.explorer.tests.guards;

import static dev.cerrojo.explorer.tests.guards.Sessions.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that pass through a bad state; under a deferred guard they may. */
class DeferredGuardInterleavingTest {
    private static final ProofTable TABLE = ProofTable.byLevel("the deferred trigger guard");
    private static final String JOIN = "INSERT INTO on_call VALUES (1, 'C')";
    private static final String BOTH_COMMIT = "[" + Trial.COMMITTED + ", " + Trial.COMMITTED + "]";
    private Hospital hospital;

    @AfterEach
    void close() {
        hospital.close();
    }

    @AfterAll
    static void print() {
        TABLE.publish();
    }

    private void guard(GuardOptions options) throws SQLException {
        hospital = Hospital.of().guardedBy(TriggerGuard.of(Hospital.COVERAGE, options));
    }

    private Trial trial(Isolation level, String... second) {
        Trial trial = new Trial(hospital).holds(Hospital.COVERAGE).neverDeadlocks();
        return trial.session(trial.sessions().raw(level, leave(1, "A")))
                .session(trial.sessions().raw(level, second));
    }

    private static Findings holds(String what, Isolation level, Trial trial) {
        Findings findings = trial.explore();
        TABLE.add(what, level, findings.verdict(), findings.schedules());
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
        return findings;
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void twoWhoLeaveAreCheckedAtCommit(Isolation level) throws SQLException {
        guard(GuardOptions.defaults().withDeferred(true));
        Trial trial = trial(level, leave(1, "B"));

        holds("two leave", level, trial);

        assertThat(trial.endings()).isNotEmpty().doesNotContain(BOTH_COMMIT);
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void whoIsReplacedBeforeCommitMayLeave(Isolation level) throws SQLException {
        guard(GuardOptions.defaults().withDeferred(true));
        Trial trial = trial(level, leave(1, "B"), JOIN);

        holds("one leaves, one is replaced", level, trial);

        assertThat(trial.endings()).contains(BOTH_COMMIT);
        if (level == Isolation.READ_COMMITTED) {
            assertThat(trial.endings()).containsExactly(BOTH_COMMIT);
        }
    }

    /** The control: checked after each statement, the same is refused in some orders. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void checkedAtOnceTheBadStateIsRefused(Isolation level) throws SQLException {
        guard(GuardOptions.defaults());
        Trial trial = trial(level, leave(1, "B"), JOIN);

        holds("control: one leaves, one is replaced, checked at once (refused in some orders)", level, trial);

        assertThat(trial.endings()).contains("[" + Trial.COMMITTED + ", " + Trial.REFUSED_BY_TRIGGER + "]");
    }

    /** One transaction asks for it, under a guard that is immediate for the others. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void oneTransactionMayAskForIt(Isolation level) throws SQLException {
        guard(GuardOptions.defaults());
        Trial trial =
                trial(level, "SET CONSTRAINTS cerrojo." + Hospital.COVERAGE.name() + " DEFERRED", leave(1, "B"), JOIN);

        holds("one leaves, one is replaced by SET CONSTRAINTS", level, trial);

        assertThat(trial.endings()).contains(BOTH_COMMIT);
    }
}
