package dev.cerrojo.explorer.scenario;

import java.util.Locale;

/** What a file says an exploration must find. */
public enum Expectation {
    /** Some schedule violates the invariant. At the top of a file. */
    VIOLATED,
    /** No schedule violates it and some session commits; deadlocks are allowed. At the top and per repair. */
    HOLDS,
    /** As {@link #HOLDS}, and no schedule deadlocks. Per repair. */
    HOLDS_NO_DEADLOCK,
    /** Some schedule deadlocks. At the top and per repair. */
    DEADLOCKS,
    /** Some schedule violates the invariant. Per repair. */
    DOES_NOT_HOLD;

    /** {@return the word a file writes: {@code holds_no_deadlock}} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
