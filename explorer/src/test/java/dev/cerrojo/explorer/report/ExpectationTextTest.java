package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.scenario.Expectation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExpectationTextTest {
    private static ExpectationCase judged(Optional<String> repair, Expectation expectation, Found found) {
        return new ExpectationCase(
                "R01.yaml", repair, expectation, found.in(Found.scenario()), Duration.ofMillis(1300));
    }

    private static String line(Optional<String> repair, Expectation expectation, Found found) {
        return ExpectationText.line(judged(repair, expectation, found), Look.plain());
    }

    private static Found violated() {
        return new Found().violated(3, Found.bothLeave().ending(Found.NOBODY_ON_CALL));
    }

    @Test
    void saysWhatWasExpectedAndFound() {
        assertThat(line(Optional.empty(), Expectation.VIOLATED, violated()))
                .isEqualTo("ok    R01.yaml as it stands: expected violated, found violated (20 schedules, 1.3 s)\n");
        assertThat(line(Optional.of("FOR UPDATE"), Expectation.HOLDS, violated()))
                .isEqualTo(
                        "FAIL  R01.yaml repair \"FOR UPDATE\": expected holds, found violated (20 schedules, 1.3 s)\n");
    }

    @Test
    void saysThatItDeadlocks() {
        Found found = new Found().deadlocking(2, Found.deadlocks().ending());

        assertThat(line(Optional.empty(), Expectation.HOLDS_NO_DEADLOCK, found))
                .startsWith("FAIL ")
                .contains("found holds, deadlocks");
        assertThat(line(Optional.empty(), Expectation.DEADLOCKS, found)).startsWith("ok ");
    }

    @Test
    void saysThatNothingCommits() {
        assertThat(line(Optional.of("x"), Expectation.HOLDS, new Found().nothingCommits()))
                .startsWith("FAIL ")
                .contains("expected holds, found nothing commits");
    }

    @Test
    void saysWhyItIsUndecided() {
        assertThat(line(Optional.empty(), Expectation.HOLDS, new Found().stopped("stopped after 9 s (--timeout)")))
                .isEqualTo("?     R01.yaml as it stands: expected holds, found inconclusive (20 schedules, 1.3 s)\n"
                        + "      stopped after 9 s (--timeout)\n");
    }

    @Test
    void countsWhatIsMet() {
        ExpectationCase met = judged(Optional.empty(), Expectation.VIOLATED, violated());
        ExpectationCase notMet = judged(Optional.empty(), Expectation.HOLDS, violated());

        assertThat(ExpectationText.total(List.of(met, notMet, met), 2))
                .isEqualTo("2 of 3 expectations met (2 files)\n");
        assertThat(ExpectationText.total(List.of(met), 1)).isEqualTo("1 of 1 expectation met (1 file)\n");
    }

    @Test
    void reportsAFileThatExpectsNothing() {
        assertThat(ExpectationText.none("a.yaml", Look.plain()))
                .isEqualTo("none  a.yaml: declares no expectation (key expect)\n");
    }
}
