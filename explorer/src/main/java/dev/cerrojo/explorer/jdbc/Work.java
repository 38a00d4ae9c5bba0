package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.StepResult;

/**
 * What a step does.
 *
 * @param <R> what the code that took the step gets
 */
@FunctionalInterface
interface Work<R extends @org.jspecify.annotations.Nullable Object> {
    Done<R> run() throws Throwable;

    /**
     * What came of it.
     *
     * @param value what the code gets
     * @param result what the trace gets
     */
    record Done<R extends @org.jspecify.annotations.Nullable Object>(R value, StepResult result) {}

    /** An action whose result nobody needs. */
    @FunctionalInterface
    interface Act {
        void run() throws Throwable;
    }

    static Work<@org.jspecify.annotations.Nullable Void> of(Act act) {
        return () -> {
            act.run();
            return new Done<>(null, StepResult.DONE);
        };
    }
}
