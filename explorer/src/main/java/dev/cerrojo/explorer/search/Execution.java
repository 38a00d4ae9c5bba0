package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Trace;
import java.util.List;
import java.util.Optional;

/**
 * One schedule, run from the start state to its end.
 *
 * @param trace what was seen
 * @param violations the invariants that did not hold at its end
 * @param state what the sessions left behind, as text to be compared, when the subject was asked for it
 */
public record Execution(Trace trace, List<Violation> violations, Optional<String> state) {
    /** Copies the list. */
    public Execution {
        violations = List.copyOf(violations);
    }

    /**
     * One whose end state nobody asked for.
     *
     * @param trace what was seen
     * @param violations the invariants that did not hold at its end
     */
    public Execution(Trace trace, List<Violation> violations) {
        this(trace, violations, Optional.empty());
    }

    /** {@return whether an invariant did not hold at the end} */
    public boolean isViolation() {
        return !violations.isEmpty();
    }

    /** {@return what tells this outcome from others} */
    Ending ending() {
        return new Ending(trace.outcomes(), isViolation(), state);
    }

    /**
     * How a schedule can end.
     *
     * @param outcomes what each session ended with
     * @param violated whether an invariant did not hold
     * @param state what the sessions left behind, when the subject was asked for it
     */
    public record Ending(List<Outcome> outcomes, boolean violated, Optional<String> state) {
        /** Copies the list. */
        public Ending {
            outcomes = outcomes.stream().map(Ending::withoutMessage).toList();
        }

        /**
         * One whose end state nobody asked for.
         *
         * @param outcomes what each session ended with
         * @param violated whether an invariant did not hold
         */
        public Ending(List<Outcome> outcomes, boolean violated) {
            this(outcomes, violated, Optional.empty());
        }

        private static Outcome withoutMessage(Outcome outcome) {
            // messages name rows, processes and times: two of them may be the same outcome
            return outcome instanceof Outcome.Failed failed ? new Outcome.Failed(failed.sqlState(), "") : outcome;
        }
    }
}
