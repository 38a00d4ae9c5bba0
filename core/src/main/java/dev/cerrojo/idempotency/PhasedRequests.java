package dev.cerrojo.idempotency;

/**
 * Requests that take effect once, where the effect is outside of the database: the key is claimed, then the effect happens, then the
 * response is kept.
 *
 * <pre>{@code
 * PhasedRequests requests = PhasedRequests.over(RequestStore.inPostgres(dataSource), IdempotencySettings.defaults());
 *
 * Reply reply = requests.call(RequestKey.of("pay", caller, key), RequestHash.ofBytes(body), claim -> {
 *     String charge = provider.charge(body, key);   // the provider takes the key, too
 *     return StoredResponse.json(201, charge);
 * });
 * }</pre>
 *
 * <p><b>What it gives.</b> While one does the work, nobody else does; who repeats it is told so ({@link InProgressException}), and gets the
 * response once it is there. Who died in the middle blocks the key as long as a claim lasts without a sign of life, 30 seconds by
 * default; then it is {@linkplain Takeover taken over, failed or left to a person}. Whoever was taken over is refused when he comes back.
 *
 * <p><b>What it cannot give.</b> Between the effect and what is kept of it a crash leaves nobody who knows. Only an effect that itself
 * takes the key, or can be asked for, makes it once: that is what {@link Takeover} and {@link Claim#number} are for. For effects in the
 * database take {@link IdempotentRequests}.
 *
 * <p>Used by any number of threads. Threads are started when a claim must be renewed, and ended by {@link #close}.
 */
public final class PhasedRequests implements AutoCloseable {
    private final Phases<RequestKey, StoredResponse> phases;

    private PhasedRequests(RequestStore store, IdempotencySettings settings) {
        this.phases = new Phases<>(store, settings);
    }

    /** {@return requests in a store; closing them does not close it} */
    public static PhasedRequests over(RequestStore store, IdempotencySettings settings) {
        return new PhasedRequests(store, settings);
    }

    /**
     * Claims a request.
     *
     * @return the claim, or the response of before
     * @throws InProgressException when somebody else is at it
     * @throws RequestMismatchException when the key was another request's
     * @throws FailedForGoodException when it has failed for good
     * @throws AbandonedException when somebody was at it, gave no sign of life, and the settings leave that to a person
     * @throws IdempotencyStoreException when the store did not answer
     */
    public Begun<StoredResponse> begin(RequestKey key, RequestHash request) {
        return phases.begin(key, request);
    }

    /**
     * Does the work of a request once, and keeps its response.
     *
     * @param work on this thread, which is interrupted when the claim is lost
     * @throws X what the work threw; then nobody knows whether it was done, unless it has settled the claim itself
     * @throws ClaimLostException when somebody else took it over before the response was kept
     * @throws InProgressException and the others as {@link #begin} throws them
     */
    public <X extends Exception> Reply call(RequestKey key, RequestHash request, PhasedWork<StoredResponse, X> work)
            throws X {
        Begun<StoredResponse> begun = begin(key, request);
        if (begun instanceof Begun.Before<StoredResponse> before) {
            return new Reply(before.result(), true);
        }
        return new Reply(phases.call(begun, work), false);
    }

    /** Ends the threads: claims that are held are not renewed any more. */
    @Override
    public void close() {
        phases.close();
    }
}
