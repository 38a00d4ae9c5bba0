package dev.cerrojo.idempotency;

import java.util.function.Consumer;

/**
 * A key that is claimed: its work may be done by this process, and by nobody else while it is held. It is renewed until it is settled
 * or closed.
 *
 * <p><b>Loss.</b> It is lost when the store says so, and at the latest when its time is over by the clock of this process: then somebody
 * else may take it over. The thread in {@link PhasedRequests#call} or {@link PhasedJobs#run} is interrupted, the listeners are called,
 * and {@link #ensureHeld} throws. What comes of the work can still be kept if nobody has taken it over: the store compares the token.
 *
 * <p>Used by any number of threads.
 *
 * @param <R> what is kept of the work
 */
public sealed interface Claim<R> extends AutoCloseable permits HeldClaim {
    /** {@return 1 for the first claim of its key; more when those before gave no sign of life, so that the work may have been done} */
    int number();

    /** {@return whether it is held, as far as this process can tell; asks nobody} */
    boolean isHeld();

    /**
     * Does nothing while it is held; asks nobody.
     *
     * @throws ClaimLostException when it is lost, or settled
     */
    void ensureHeld();

    /** Has a listener told when it is lost: once, on a thread of its own. At once when it is lost already; never once it is settled. */
    void onLoss(Consumer<ClaimLostException> listener);

    /**
     * Keeps what came of the work.
     *
     * @throws ClaimLostException when somebody else has taken it over; nothing is changed then
     * @throws IdempotencyStoreException when the store did not answer; doing it again is safe
     */
    void complete(R result);

    /**
     * Lets it fail for good: each repetition is told so.
     *
     * @throws ClaimLostException when somebody else has taken it over; nothing is changed then
     * @throws IdempotencyStoreException when the store did not answer; doing it again is safe
     */
    void fail(String reason);

    /**
     * Forgets it, since nothing has happened: whoever repeats it does it.
     *
     * @throws ClaimLostException when somebody else has taken it over; nothing is changed then
     * @throws IdempotencyStoreException when the store did not answer. Then it may be forgotten already, and doing it again says that the
     *     claim is lost
     */
    void forget();

    /** Ends it. When it is not settled, nobody knows whether the work was done: what the settings say about takeovers is done at once. */
    @Override
    void close();
}
