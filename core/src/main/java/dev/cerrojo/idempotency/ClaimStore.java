package dev.cerrojo.idempotency;

import java.time.Duration;
import java.util.List;

/**
 * Keeps which keys are claimed, and what came of them. Whoever heartbeats, and tells who loses a claim, is {@link PhasedRequests} or
 * {@link PhasedJobs}.
 *
 * <p><b>Each operation is one atomic step</b> at the store. Time is the store's. An entry is pending, completed or failed; what is
 * completed or failed stays so until its retention is over, and counts as not there from then on.
 *
 * <p><b>Failures.</b> Each operation throws {@link IdempotencyStoreException} when the store cannot be reached or does not answer. It
 * may or may not have taken effect then; repeating it with the same token is right in either case.
 *
 * <p>Used by any number of threads.
 *
 * @param <K> the keys
 * @param <R> what is kept of work that is done
 */
public interface ClaimStore<K, R> {
    /**
     * Claims a key, unless it is claimed, completed or failed.
     *
     * <p>One whose claim is over is, by the terms, taken over by comparing what it was then with what it is now, so that of two only
     * one has it; or fails for good; or is left alone. One that the same token has claimed is claimed again.
     */
    ClaimAttempt<R> claim(K key, RequestHash request, ClaimToken token, ClaimTerms terms);

    /**
     * Has a claim held for longer, also one whose time is over but that nobody has taken over. Never makes one.
     *
     * @return whether the token still has it
     */
    boolean renew(K key, ClaimToken token, Duration claimFor);

    /**
     * Completes what the token has claimed. Again, after a lost answer: does nothing, and answers the same.
     *
     * @return whether it had it
     */
    boolean complete(K key, ClaimToken token, R result, Duration retention);

    /**
     * Lets what the token has claimed fail for good. Again: answers the same.
     *
     * @return whether it had it
     */
    boolean fail(K key, ClaimToken token, String reason, Duration retention);

    /**
     * Forgets what the token has claimed, since nothing has happened: the next one who asks has it.
     *
     * @return whether it had it
     */
    boolean forget(K key, ClaimToken token);

    /**
     * Ends a claim now instead of when its time is over: nobody knows what happened, and nobody is at it any more.
     *
     * @return whether the token had it
     */
    boolean abandon(K key, ClaimToken token);

    /**
     * {@return pending entries whose claims are over, the oldest first}
     *
     * @param most how many at most
     */
    List<StuckClaim> stuck(int most);

    /**
     * Removes entries whose retention is over. Pending ones only when their claim is over, too, and they are not {@linkplain
     * Takeover#ASK left to a person}. One that is claimed again meanwhile stays. A store that forgets by itself does nothing.
     *
     * @param most how many at most in one step
     * @return how many were removed
     */
    default int purge(int most) {
        return 0;
    }
}
