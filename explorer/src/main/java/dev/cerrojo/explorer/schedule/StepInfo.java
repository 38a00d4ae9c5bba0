package dev.cerrojo.explorer.schedule;

import dev.cerrojo.tx.Isolation;

/**
 * What a session is about to do: the unit that is scheduled.
 *
 * @param kind what sort of step
 * @param sql its text, as the program wrote it
 * @param bound the values bound to it, for people; may be empty
 * @param isolation the level of its transaction
 * @param takesSnapshot whether its transaction's snapshot may be taken by it: above READ COMMITTED the first statement's is
 *     everyone's
 */
public record StepInfo(Kind kind, String sql, String bound, Isolation isolation, boolean takesSnapshot) {
    /** The sorts of steps. */
    public enum Kind {
        /** A statement. */
        STATEMENT,
        /**
         * SQL that may begin and end transactions of its own: a statement in autocommit mode, or several statements. What it
         * touched is not known when it is done.
         */
        COMPOUND,
        /** The deferred constraints and triggers of a COMMIT, run just before it. */
        DEFERRED_CHECKS,
        /** A COMMIT. */
        COMMIT,
        /** A COMMIT that is done, or a {@link #COMPOUND} that may have committed, and whose answer is lost. */
        COMMIT_UNANSWERED,
        /** A ROLLBACK. */
        ROLLBACK,
        /** The end of a client that crashes, and the ROLLBACK that PostgreSQL does for it. */
        CRASH
    }

    /**
     * {@return a COMMIT}
     *
     * @param isolation the level of the transaction
     */
    public static StepInfo commit(Isolation isolation) {
        return new StepInfo(Kind.COMMIT, "COMMIT", "", isolation, false);
    }

    /**
     * {@return a ROLLBACK}
     *
     * @param isolation the level of the transaction
     */
    public static StepInfo rollback(Isolation isolation) {
        return new StepInfo(Kind.ROLLBACK, "ROLLBACK", "", isolation, false);
    }

    /**
     * {@return the first half of a COMMIT where deferred checks exist}
     *
     * @param isolation the level of the transaction
     */
    public static StepInfo deferredChecks(Isolation isolation) {
        return new StepInfo(Kind.DEFERRED_CHECKS, "COMMIT: deferred checks", "", isolation, false);
    }

    /** {@return the rest of this step, from a gate inside of it} */
    StepInfo rest() {
        return new StepInfo(kind, "(inside) " + sql, bound, isolation, false);
    }

    /** {@return this step, when a fault befalls its session there} */
    StepInfo hitBy(Fault fault) {
        return fault == Fault.CRASH
                ? new StepInfo(Kind.CRASH, "the client crashes", "", isolation, false)
                : new StepInfo(Kind.COMMIT_UNANSWERED, sql + ", the answer is lost", bound, isolation, false);
    }

    /** {@return whether a fault can befall its session here} */
    boolean canBeHitBy(Fault fault) {
        return fault == Fault.CRASH || kind == Kind.COMMIT || kind == Kind.COMPOUND;
    }

    /** {@return whether it ends its transaction} */
    public boolean isEnd() {
        return isCommit() || kind == Kind.ROLLBACK || kind == Kind.CRASH;
    }

    /** {@return whether it makes its transaction's writes visible} */
    public boolean isCommit() {
        return kind == Kind.COMMIT || kind == Kind.COMMIT_UNANSWERED;
    }
}
