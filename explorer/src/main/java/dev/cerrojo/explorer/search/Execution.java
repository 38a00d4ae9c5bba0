package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Trace;
import java.util.List;

/**
 * One schedule, run from the start state to its end.
 *
 * @param trace what was seen
 * @param violations the invariants that did not hold at its end
 */
public record Execution(Trace trace, List<Violation> violations) {
    /** Copies the list. */
    public Execution {
        violations = List.copyOf(violations);
    }

    /** {@return whether an invariant did not hold at the end} */
    public boolean isViolation() {
        return !violations.isEmpty();
    }

    /** {@return what tells this outcome from others} */
    Ending ending() {
        return new Ending(trace.outcomes(), isViolation());
    }

    /**
     * How a schedule can end.
     *
     * @param outcomes what each session ended with
     * @param violated whether an invariant did not hold
     */
    public record Ending(List<Outcome> outcomes, boolean violated) {
        /** Copies the list. */
        public Ending {
            outcomes = outcomes.stream().map(Ending::withoutMessage).toList();
        }

        private static Outcome withoutMessage(Outcome outcome) {
            // messages name rows, processes and times: two of them may be the same outcome
            return outcome instanceof Outcome.Failed failed ? new Outcome.Failed(failed.sqlState(), "") : outcome;
        }
    }
}
