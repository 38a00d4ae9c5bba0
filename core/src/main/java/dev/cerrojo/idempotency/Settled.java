package dev.cerrojo.idempotency;

/** What is said to who did not get the claim. */
final class Settled {
    private Settled() {}

    /** {@return the result of before; throws what tells that there is none} */
    static <R> R result(Object key, ClaimAttempt<R> attempt) {
        if (attempt instanceof ClaimAttempt.Completed<R> completed) {
            return completed.result();
        }
        if (attempt instanceof ClaimAttempt.Failed<R> failed) {
            throw new FailedForGoodException(key, failed.reason());
        }
        if (attempt instanceof ClaimAttempt.InProgress<R> inProgress) {
            throw new InProgressException(key, inProgress.heldFor());
        }
        if (attempt instanceof ClaimAttempt.Abandoned<R> abandoned) {
            throw new AbandonedException(key, abandoned.claim());
        }
        throw new RequestMismatchException(key);
    }
}
