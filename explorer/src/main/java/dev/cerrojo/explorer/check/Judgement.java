package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Verdict;
import java.util.Optional;

/** Whether an expectation was met. */
public enum Judgement {
    /** It was. */
    MET,
    /** It was not. */
    NOT_MET,
    /** The exploration gave up before it was decided: not met, for all who count. */
    UNDECIDED;

    /**
     * Judges.
     *
     * @param expectation what was expected
     * @param result what was found
     * @return whether they agree
     */
    public static Judgement of(Expectation expectation, CheckResult result) {
        return switch (expectation) {
            case VIOLATED, DOES_NOT_HOLD -> found(result.violating(), result);
            case DEADLOCKS -> found(result.deadlocking(), result);
            case HOLDS -> holds(result);
            case HOLDS_NO_DEADLOCK -> result.deadlocking() > 0 ? NOT_MET : holds(result);
        };
    }

    /**
     * Judges by what stopping inside of statements found, too: a repair that only holds between them does not hold.
     *
     * @param expectation what was expected
     * @param result what was found between statements
     * @param inside what was found inside of them, when that was tried
     * @return whether they agree
     */
    public static Judgement of(Expectation expectation, CheckResult result, Optional<GatedPass> inside) {
        Judgement between = of(expectation, result);
        if (result.verdict() != Verdict.HOLDS || inside.isEmpty()) {
            return between;
        }
        Verdict verdict = inside.orElseThrow().verdict();
        return switch (expectation) {
            case DEADLOCKS -> between;
            case VIOLATED, DOES_NOT_HOLD ->
                verdict == Verdict.HOLDS ? between : verdict == Verdict.VIOLATED ? MET : UNDECIDED;
            case HOLDS, HOLDS_NO_DEADLOCK ->
                verdict == Verdict.HOLDS || between == NOT_MET
                        ? between
                        : verdict == Verdict.VIOLATED ? NOT_MET : UNDECIDED;
        };
    }

    private static Judgement found(long count, CheckResult result) {
        if (count > 0) {
            return MET;
        }
        return result.verdict() == Verdict.INCONCLUSIVE ? UNDECIDED : NOT_MET;
    }

    /** What never commits leaves the data alone, and is no repair. */
    private static Judgement holds(CheckResult result) {
        return switch (result.verdict()) {
            case HOLDS -> result.committing() > 0 ? MET : NOT_MET;
            case VIOLATED -> NOT_MET;
            case INCONCLUSIVE -> UNDECIDED;
        };
    }

    /**
     * Says when a search for an expectation is decided.
     *
     * @param expectation what is expected
     * @return the goal
     */
    public static Goal goal(Expectation expectation) {
        return switch (expectation) {
            case VIOLATED, DOES_NOT_HOLD, HOLDS -> Goal.FIRST_VIOLATION;
            case DEADLOCKS -> Goal.FIRST_DEADLOCK;
            case HOLDS_NO_DEADLOCK -> Goal.FIRST_VIOLATION_OR_DEADLOCK;
        };
    }
}
