package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.StepResult;
import org.jspecify.annotations.Nullable;

/** What a step does. */
@FunctionalInterface
interface Work {
    Done run() throws Throwable;

    /**
     * What came of it.
     *
     * @param value what the code that took the step gets
     * @param result what the trace gets
     */
    record Done(@Nullable Object value, StepResult result) {}

    /** An action whose result nobody needs. */
    @FunctionalInterface
    interface Act {
        void run() throws Throwable;
    }

    static Work of(Act act) {
        return () -> {
            act.run();
            return new Done(null, StepResult.DONE);
        };
    }
}
