package dev.cerrojo.explorer.schedule;

/**
 * What a session is about to do: the unit that is scheduled.
 *
 * @param kind what sort of step
 * @param sql its text, as the program wrote it
 * @param bound the values bound to it, for people; may be empty
 */
public record StepInfo(Kind kind, String sql, String bound) {
    /** The sorts of steps. */
    public enum Kind {
        /** A statement. */
        STATEMENT,
        /** The deferred constraints and triggers of a COMMIT, run just before it. */
        DEFERRED_CHECKS,
        /** A COMMIT. */
        COMMIT,
        /** A ROLLBACK. */
        ROLLBACK
    }

    /** A COMMIT. */
    public static final StepInfo COMMIT = new StepInfo(Kind.COMMIT, "COMMIT", "");

    /** A ROLLBACK. */
    public static final StepInfo ROLLBACK = new StepInfo(Kind.ROLLBACK, "ROLLBACK", "");

    /** The first half of a COMMIT where deferred checks exist. */
    public static final StepInfo DEFERRED_CHECKS = new StepInfo(Kind.DEFERRED_CHECKS, "COMMIT: deferred checks", "");
}
