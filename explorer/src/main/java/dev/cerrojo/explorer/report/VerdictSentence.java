package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.invariant.Invariant;
import java.util.List;

/** What a check found, in one sentence. */
final class VerdictSentence {
    private VerdictSentence() {}

    static Phrase of(CheckResult result) {
        return switch (result.verdict()) {
            case VIOLATED -> violated(result);
            case HOLDS -> holds(result);
            case INCONCLUSIVE -> inconclusive(result);
        };
    }

    private static Phrase violated(CheckResult result) {
        Phrase verdict = Phrase.of(Tone.BAD, "VIOLATED");
        if (isBySerialOrders(result)) {
            return verdict.and(": " + Words.number(result.violating()) + " of " + Words.schedules(result.schedules())
                    + (result.violating() == 1 ? " ends" : " end") + " as no serial order of the sessions does"
                    + (CheckJson.isComplete(result) ? "." : "; not every schedule was run."));
        }
        if (result.runs().stream().anyMatch(run -> run.exploration().serialViolation())) {
            return verdict.and(": " + broken(result)
                    + " does not hold already when the sessions run one after another: this is not a race.");
        }
        return verdict.and(": " + Words.number(result.violating()) + " of " + Words.schedules(result.schedules()) + " "
                + (result.violating() == 1 ? "ends" : "end") + " with " + broken(result) + " violated"
                + (CheckJson.isComplete(result) ? "." : "; not every schedule was run."));
    }

    private static Phrase holds(CheckResult result) {
        if (result.shard().isPart()) {
            return Phrase.of(Tone.GOOD, "HOLDS IN PART " + result.shard())
                    .and(": no violation of " + all(result) + " in " + Words.schedules(result.schedules())
                            + " of this part; it holds when all "
                            + result.shard().of() + " parts do.");
        }
        if (result.committing() == 0) {
            return Phrase.of(Tone.WARNING, "HOLDS, BUT NOTHING COMMITS")
                    .and(": in none of " + Words.schedules(result.schedules()) + " does any session commit, so "
                            + all(result) + " is never put to the test.");
        }
        String deadlocks = result.deadlocking() == 0
                ? ""
                : ", but " + Words.number(result.deadlocking())
                        + (result.deadlocking() == 1 ? " deadlocks" : " deadlock");
        String what = isBySerialOrders(result)
                ? every(result) + (result.schedules() == 1 ? " ends" : " end")
                        + " as a serial order of the sessions that committed does"
                : all(result) + " holds at the end of " + every(result);
        return Phrase.of(Tone.GOOD, "HOLDS").and(": " + what + deadlocks + ".");
    }

    /** A scenario without invariants is judged by them alone. */
    private static boolean isBySerialOrders(CheckResult result) {
        return result.scenario().invariants().isEmpty();
    }

    private static String every(CheckResult result) {
        return result.schedules() == 1 ? "the only schedule" : "all " + Words.schedules(result.schedules());
    }

    private static Phrase inconclusive(CheckResult result) {
        String why = result.reasons().isEmpty() ? "the search was ended early" : String.join("; ", result.reasons());
        return Phrase.of(Tone.WARNING, "INCONCLUSIVE")
                .and(": no violation of " + all(result) + " in " + Words.schedules(result.schedules())
                        + ", but that was not all of them: " + Printable.of(why) + ".");
    }

    /** The invariants that witnesses violate. */
    private static String broken(CheckResult result) {
        List<String> names = result.runs().stream()
                .flatMap(run -> run.exploration().witness().stream())
                .flatMap(witness -> witness.violations().stream())
                .map(Violation::invariant)
                .distinct()
                .toList();
        return Words.list(names, "and");
    }

    private static String all(CheckResult result) {
        if (isBySerialOrders(result)) {
            return Arena.SERIAL_EQUIVALENCE;
        }
        return Words.list(
                result.scenario().invariants().stream().map(Invariant::name).toList(), "and");
    }
}
