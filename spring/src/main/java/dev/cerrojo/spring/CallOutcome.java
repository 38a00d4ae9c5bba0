package dev.cerrojo.spring;

import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.tx.AfterCommitException;
import dev.cerrojo.tx.OutcomeUnknownException;
import org.jspecify.annotations.Nullable;

/** What a call of a protected method ended with. */
public enum CallOutcome {
    /** It is committed. */
    COMMITTED,
    /** An invariant would have been violated; rolled back. */
    REFUSED,
    /** It threw anything else; rolled back. */
    FAILED,
    /** The connection was lost at COMMIT. */
    UNKNOWN;

    static CallOutcome of(@Nullable Throwable thrown) {
        if (thrown == null || thrown instanceof AfterCommitException) {
            return COMMITTED;
        } else if (thrown instanceof InvariantViolatedException) {
            return REFUSED;
        }
        return thrown instanceof OutcomeUnknownException ? UNKNOWN : FAILED;
    }
}
