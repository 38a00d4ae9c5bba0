package dev.cerrojo.schema;

import java.time.Duration;

/**
 * How a guard is put into a database, or out of it.
 *
 * @param lockTimeout how long each statement may wait for a lock; 1 ms to 24 hours
 * @param replace whether a guard that is there and differs is replaced, in the same transaction
 * @param dryRun whether everything is run and then rolled back
 */
public record Installation(Duration lockTimeout, boolean replace, boolean dryRun) {
    private static final Duration LONGEST = Duration.ofHours(24);

    /** Checks the timeout. */
    public Installation {
        if (lockTimeout.toMillis() < 1 || lockTimeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "lockTimeout must be PT0.001S to PT24H, but was %s: writers wait as long as the installation does"
                            .formatted(lockTimeout));
        }
    }

    /** {@return waits of at most 5 seconds, and nothing that is there is replaced} */
    public static Installation defaults() {
        return new Installation(Duration.ofSeconds(5), false, false);
    }

    /** {@return this with another lock timeout} */
    public Installation withLockTimeout(Duration other) {
        return new Installation(other, replace, dryRun);
    }

    /** {@return this, replacing what differs or not} */
    public Installation withReplace(boolean other) {
        return new Installation(lockTimeout, other, dryRun);
    }

    /** {@return this, rolled back at the end or not} */
    public Installation withDryRun(boolean other) {
        return new Installation(lockTimeout, replace, other);
    }

    /** What an installation did. */
    public enum Outcome {
        /** The guard is there now. */
        INSTALLED,
        /** The guard is there now instead of one that differed. */
        REPLACED,
        /** The same guard was there before; nothing was changed. */
        ALREADY_INSTALLED
    }
}
