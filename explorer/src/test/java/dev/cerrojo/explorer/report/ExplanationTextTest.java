package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.repair.CandidateResult;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTextTest {
    private static String text(CandidateResult result) {
        return ExplanationText.of(Repairs.violated().report(), result, Look.plain());
    }

    @Test
    void showsWhatACandidateChanges() {
        assertThat(text(Repairs.touch())).startsWith("""
                        Touch a guard row (touch)
                          Idea: UPDATE a row first.

                        What it changes
                          After the setup:
                            + ;CREATE TABLE guard (scope int);
                          leave (retry: 3):
                            + write: UPDATE guard SET scope = scope WHERE scope = :shift
                              read: SELECT count(*) AS others FROM on_call WHERE shift = :shift AND doctor <> :doctor
                              check: SELECT :others > 0  else coverage-conflict
                            - write: DELETE FROM on_call WHERE shift = :shift AND doctor = :doctor
                            + commit
                            + write: DELETE FROM on_call WHERE doctor = :doctor

                        READ COMMITTED: ✔ holds (20 schedules explored)

                        REPEATABLE READ: ✔ holds (20 schedules explored, new for callers: 40001 (serialization failure))
                        """);
    }

    @Test
    void showsTheDeadlockWhereItHolds() {
        assertThat(text(Repairs.touch()))
                .contains("SERIALIZABLE: ✔ holds (20 schedules explored, 2 deadlocking,")
                .contains("deadlock of A and B: A is the victim");
    }

    @Test
    void showsWhatOnlyGatesFind() {
        assertThat(text(Repairs.readRows()))
                .contains("READ COMMITTED: ✘ violated*")
                .containsPattern("run\\s+freely, without gates, 3 of 200 times too")
                .contains("At the end on_call_coverage is violated")
                .contains("SERIALIZABLE: ? inconclusive (20 schedules explored)\n  stopped after 9 s (--timeout)\n");
    }

    @Test
    void givesTheReplayOfOneOfTheFilesOwn() {
        assertThat(text(Repairs.ofTheUser(2, "check inside", Repairs.violated(), Optional.empty())))
                .contains("As declared: ✘ violated")
                .contains("cerrojo check --repair 'check inside' --replay 1:ABBBAA examples/on-call.yaml");
        assertThat(text(Repairs.shareLock())).doesNotContain("--replay");
    }

    @Test
    void saysWhyItWasNotTried() {
        assertThat(text(Repairs.nativeConstraint())).isEqualTo("""
                        Native constraint (native-constraint)
                          Idea: a constraint.
                          It was not tried: PostgreSQL has no constraint for this rule
                        """);
    }
}
