package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.scenario.Expectation;
import java.time.Duration;
import java.util.Optional;

/**
 * An expectation of a file, and what was found.
 *
 * @param file the file
 * @param repair of which of its repairs it is expected; empty for the file as it stands
 * @param expectation what is expected
 * @param result what was found; the search may have stopped as soon as the expectation was decided
 * @param elapsed how long it took
 */
public record ExpectationCase(
        String file, Optional<String> repair, Expectation expectation, CheckResult result, Duration elapsed) {
    /** {@return whether it was met} */
    public Judgement judgement() {
        return Judgement.of(expectation, result);
    }

    /** {@return what was found, in a few words} */
    String found() {
        String deadlocks = result.deadlocking() > 0 ? "deadlocks" : "";
        return switch (result.verdict()) {
            case VIOLATED -> "violated" + (deadlocks.isEmpty() ? "" : ", " + deadlocks);
            case HOLDS -> holds() + (deadlocks.isEmpty() ? "" : ", " + deadlocks);
            case INCONCLUSIVE -> deadlocks.isEmpty() || judgement() == Judgement.UNDECIDED ? "inconclusive" : deadlocks;
        };
    }

    private String holds() {
        return result.committing() == 0 ? "nothing commits" : "holds";
    }
}
