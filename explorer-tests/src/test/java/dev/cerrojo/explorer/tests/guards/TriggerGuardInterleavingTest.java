package dev.cerrojo.explorer.tests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The trigger guard alone, under whatever raw SQL does to the tables, at each level. */
class TriggerGuardInterleavingTest {
    private static final ProofTable TABLE = ProofTable.byLevel("raw SQL under the trigger guard");

    @AfterAll
    static void print() {
        TABLE.publish();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Change.class)
    void holdsAtEachLevelWithoutADeadlock(Change change) throws SQLException {
        try (Hospital hospital =
                hospital(change).guardedBy(TriggerGuard.of(change.invariant(), GuardOptions.defaults()))) {
            for (Isolation level : Isolation.values()) {
                Trial trial = trial(hospital, change, level).neverDeadlocks();
                Findings findings = trial.explore();
                TABLE.add(change.toString(), level, findings.verdict(), findings.schedules());
                assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
                assertThat(trial.endings())
                        .allSatisfy(ending -> assertThat(ending).contains(Trial.COMMITTED));
            }
        }
    }

    /** The control: the same check, without the touch before it. SERIALIZABLE would hold by itself. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(Change.class)
    void aTriggerThatOnlyCountsDoesNotHold(Change change) throws SQLException {
        try (Hospital hospital = hospital(change).with(Hospital.countingTriggers(change.invariant()))) {
            for (Isolation level : List.of(Isolation.READ_COMMITTED, Isolation.REPEATABLE_READ)) {
                Findings findings = trial(hospital, change, level).explore();
                TABLE.add("control, counting only: " + change, level, findings.verdict(), findings.schedules());
                assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
                assertThat(findings.summary()).doesNotContain("one after another");
            }
        }
    }

    private static Hospital hospital(Change change) throws SQLException {
        return Hospital.of(change.setup().toArray(String[]::new));
    }

    private static Trial trial(Hospital hospital, Change change, Isolation level) {
        Trial trial = new Trial(hospital).holds(change.invariant());
        return trial.session(trial.sessions().raw(level, change.one()))
                .session(trial.sessions().raw(level, change.other()));
    }
}
