package dev.cerrojo.explorer.schedule;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of a step.
 *
 * @param rows rows returned or changed; -1 when the step counts none
 * @param values the columns of the first row, as text; a value is null for SQL NULL
 * @param error why it failed, if it did
 */
public record StepResult(long rows, Map<String, @Nullable String> values, Optional<Failure> error) {
    /** A step that only succeeded. */
    public static final StepResult DONE = new StepResult(-1, Map.of(), Optional.empty());

    /** Copies the values, keeping their order. */
    public StepResult {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * A step that failed.
     *
     * @param failure why
     * @return the result
     */
    public static StepResult failed(Failure failure) {
        return new StepResult(-1, Map.of(), Optional.of(failure));
    }

    /**
     * An error of PostgreSQL.
     *
     * @param sqlState its five characters
     * @param message PostgreSQL's message
     * @param detail its detail; may be empty
     */
    public record Failure(String sqlState, String message, String detail) {
        /** {@return whether this is 40P01, the end of a deadlock} */
        public boolean isDeadlock() {
            return sqlState.equals("40P01");
        }

        /** {@return whether running the same transaction again can help: 40001 or 40P01} */
        public boolean isRetryable() {
            return sqlState.equals("40001") || isDeadlock();
        }
    }
}
