package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.tx.Isolation;
import java.util.List;

/**
 * How a candidate is built.
 *
 * @param candidate what it is
 * @param levels the isolation levels at which it is tried
 * @param builder makes the repaired scenario, at whatever level the scenario has
 */
record Blueprint(Candidate candidate, List<Isolation> levels, Builder builder) {
    static final List<Isolation> ALL_LEVELS = List.of(Isolation.values());

    /** At SERIALIZABLE it is the level that holds, and not the idea. */
    static final List<Isolation> LOCKING_LEVELS = List.of(Isolation.READ_COMMITTED, Isolation.REPEATABLE_READ);

    /** {@return whether it updates a row of Cerrojo's guard table for each scope} */
    boolean touchesGuardRows() {
        return candidate.id().equals("touch") || candidate.id().equals("trigger-guard");
    }

    /** Makes a repaired scenario. */
    @FunctionalInterface
    interface Builder {
        /**
         * Makes it.
         *
         * @param scenario the scenario to repair
         * @return the scenario with the repair in it
         * @throws NotBuildable if the scenario does not declare what is needed
         */
        Scenario build(Scenario scenario) throws NotBuildable;
    }

    /** A candidate cannot be built from what the scenario declares. */
    static final class NotBuildable extends Exception {
        private static final long serialVersionUID = 1L;

        NotBuildable(String reason) {
            super(reason);
        }
    }
}
