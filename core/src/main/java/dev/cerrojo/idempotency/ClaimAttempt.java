package dev.cerrojo.idempotency;

import java.time.Duration;

/**
 * What a store says to who claims a key.
 *
 * @param <R> what is kept of work that is done
 */
public sealed interface ClaimAttempt<R> {
    /**
     * The key is claimed by who asked.
     *
     * @param number 1 for the first claim; more when those before gave no sign of life
     */
    record Claimed<R>(int number) implements ClaimAttempt<R> {}

    /** It was done before. */
    record Completed<R>(R result) implements ClaimAttempt<R> {}

    /**
     * It has failed for good.
     *
     * @param reason as it was given
     */
    record Failed<R>(String reason) implements ClaimAttempt<R> {}

    /**
     * Somebody is at it.
     *
     * @param heldFor how long that claim is held without another sign of life
     */
    record InProgress<R>(Duration heldFor) implements ClaimAttempt<R> {}

    /**
     * Somebody was at it, and gave no sign of life for too long; nobody may take it over by himself.
     *
     * @param claim that one's, by which it can be settled
     */
    record Abandoned<R>(ClaimToken claim) implements ClaimAttempt<R> {}

    /** The key is that of another request. */
    record Mismatch<R>() implements ClaimAttempt<R> {}
}
