package dev.cerrojo.explorer.schedule;

import java.util.OptionalInt;

/** Where a session stops before each of its steps. One session uses one gate, from one thread. */
public interface Gate {
    /**
     * Waits for this session's turn, takes the step, and tells the scheduler what came of it.
     *
     * @param step what is about to be done
     * @param backend the process id of the PostgreSQL backend that will do it
     * @param action does it; SQL errors are results, never exceptions
     * @return what came of it
     */
    StepResult step(StepInfo step, int backend, Action action);

    /**
     * Notes something that is no step, for the reader of the trace: a check computed by the application, a retry.
     *
     * @param text one line
     */
    void note(String text);

    /** The work of a step. */
    @FunctionalInterface
    interface Action {
        /**
         * Does it.
         *
         * @param deadlockTimeoutMillis what {@code deadlock_timeout} must be during this step; empty for the default
         * @return what came of it
         */
        StepResult run(OptionalInt deadlockTimeoutMillis);

        /**
         * Lets a fault befall the session here. Only asked of sessions for which a run has a {@link Fault.Budget}.
         *
         * @param fault the fault
         * @param deadlockTimeoutMillis what {@code deadlock_timeout} must be during this step; empty for the default
         * @return a failure: what the client sees, if it still does
         */
        default StepResult befall(Fault fault, OptionalInt deadlockTimeoutMillis) {
            throw new UnsupportedOperationException("no fault can befall this session");
        }
    }
}
