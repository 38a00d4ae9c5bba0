package dev.cerrojo.explorer.search;

/** When a search may stop before every schedule was run. */
public enum Goal {
    /** Never. */
    EVERY_SCHEDULE,
    /** At the first violation: the verdict is decided then. */
    FIRST_VIOLATION,
    /** At the first deadlock. */
    FIRST_DEADLOCK,
    /** At the first violation or deadlock. */
    FIRST_VIOLATION_OR_DEADLOCK,
    /** At the first wait of a session for another. */
    FIRST_WAIT,
    /** At the first schedule that violates nothing. */
    FIRST_WITHOUT_VIOLATION;

    boolean isReachedBy(Execution execution) {
        return switch (this) {
            case EVERY_SCHEDULE -> false;
            case FIRST_VIOLATION -> execution.isViolation();
            case FIRST_DEADLOCK -> execution.trace().deadlocked();
            case FIRST_VIOLATION_OR_DEADLOCK ->
                execution.isViolation() || execution.trace().deadlocked();
            case FIRST_WAIT -> execution.trace().waited();
            case FIRST_WITHOUT_VIOLATION -> !execution.isViolation();
        };
    }
}
