package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.serial.SerialJudgement;
import java.util.List;
import java.util.Optional;

/**
 * One schedule, run from the start state to its end.
 *
 * @param trace what was seen
 * @param violations the invariants that did not hold at its end
 * @param serial whether a serial order ends alike, when the subject was asked for it
 * @param state what the sessions left behind, as text to be compared, when the subject was asked for it
 */
public record Execution(
        Trace trace, List<Violation> violations, Optional<SerialFinding> serial, Optional<String> state) {
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
        this(trace, violations, Optional.empty(), Optional.empty());
    }

    /**
     * One of which nobody asked whether a serial order ends alike.
     *
     * @param trace what was seen
     * @param violations the invariants that did not hold at its end
     * @param state what the sessions left behind, when the subject was asked for it
     */
    public Execution(Trace trace, List<Violation> violations, Optional<String> state) {
        this(trace, violations, Optional.empty(), state);
    }

    /** {@return whether it is known to end as no serial order of the sessions does} */
    public boolean isAnomalous() {
        return serial.map(SerialFinding::judgement)
                .filter(SerialJudgement::isAnomalous)
                .isPresent();
    }

    /** {@return whether an invariant did not hold at the end} */
    public boolean isViolation() {
        return !violations.isEmpty();
    }

    /** {@return what tells this outcome from others} */
    Ending ending() {
        return new Ending(trace.outcomes(), isViolation(), isAnomalous(), state);
    }

    /**
     * How a schedule can end.
     *
     * @param outcomes what each session ended with
     * @param violated whether an invariant did not hold
     * @param anomalous whether no serial order ends alike, when the subject was asked for it
     * @param state what the sessions left behind, when the subject was asked for it
     */
    public record Ending(List<Outcome> outcomes, boolean violated, boolean anomalous, Optional<String> state) {
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
            this(outcomes, violated, false, Optional.empty());
        }

        private static Outcome withoutMessage(Outcome outcome) {
            // messages name rows, processes and times: two of them may be the same outcome
            return outcome instanceof Outcome.Failed failed ? new Outcome.Failed(failed.sqlState(), "") : outcome;
        }
    }
}
