package dev.cerrojo.explorer.schedule;

import java.util.List;
import java.util.Optional;

/**
 * A moment at which a schedule had to choose.
 *
 * @param taken what was chosen
 * @param options what could have been chosen, in order: the sessions, and {@linkplain Choice#option() other numbers} for
 *     the faults that could befall them
 * @param last the session that had the turn before; -1 at the start
 * @param step what the chosen session did; empty when a victim was chosen
 * @param deadlock the deadlock, when a victim was chosen
 * @param aborts how many statements had failed with 40001 or 40P01 before
 */
public record ChoicePoint(
        Choice taken,
        List<Integer> options,
        int last,
        Optional<StepInfo> step,
        Optional<Deadlock> deadlock,
        int aborts) {
    /** Copies the options. */
    public ChoicePoint {
        options = List.copyOf(options);
    }

    /**
     * Whether choosing a session here takes the turn away from one that could have gone on.
     *
     * @param option what is chosen; a fault counts as one too
     * @return whether it is a preemption
     */
    public boolean isPreemptedBy(int option) {
        return deadlock.isEmpty() && last >= 0 && option != last && options.contains(last);
    }
}
