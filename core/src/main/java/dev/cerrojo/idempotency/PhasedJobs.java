package dev.cerrojo.idempotency;

import java.util.Optional;

/**
 * Jobs that are done once, where what they do is outside of the database: the key is claimed, then it is done, then it is marked as done.
 *
 * <pre>{@code
 * PhasedJobs jobs = PhasedJobs.over(JobStore.inPostgres(dataSource), IdempotencySettings.defaults());
 *
 * jobs.run(JobKey.of("charge", "order/17"), RequestHash.ofBytes(payload), () -> provider.has("order/17"), claim -> {
 *     provider.charge("order/17", payload);
 * });
 * }</pre>
 *
 * <p>Else as {@link PhasedRequests}, whose keys and clean-up are apart.
 */
public final class PhasedJobs implements AutoCloseable {
    private final Phases<JobKey, Done> phases;

    private PhasedJobs(JobStore store, IdempotencySettings settings) {
        this.phases = new Phases<>(store, settings);
    }

    /** {@return jobs in a store; closing them does not close it} */
    public static PhasedJobs over(JobStore store, IdempotencySettings settings) {
        return new PhasedJobs(store, settings);
    }

    /**
     * Asks where the effect is whether it happened.
     *
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface DoneCheck<X extends Exception> {
        /**
         * {@return whether it was done}
         *
         * @throws X when that cannot be found out
         */
        boolean isDone() throws X;
    }

    /**
     * Work that gives no result.
     *
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface PhasedAction<X extends Exception> {
        /**
         * Does the work. When it throws, nobody knows whether it was done, unless it has settled the claim itself.
         *
         * @param claim held when the work begins
         * @throws X what ends the work
         */
        void run(Claim<Done> claim) throws X;
    }

    /**
     * Claims a job.
     *
     * @return the claim; empty when it was done before
     * @throws InProgressException when somebody else is at it
     * @throws RequestMismatchException when the key was another job's
     * @throws FailedForGoodException when it has failed for good
     * @throws AbandonedException when somebody was at it, gave no sign of life, and the settings leave that to a person
     * @throws IdempotencyStoreException when the store did not answer
     */
    public Optional<Claim<Done>> begin(JobKey key, RequestHash payload) {
        return phases.begin(key, payload) instanceof Begun.Ours<Done> ours
                ? Optional.of(ours.claim())
                : Optional.empty();
    }

    /**
     * Does a job once, and marks it as done.
     *
     * @param doneBefore asked where the effect is, when somebody had claimed the job before and gave no sign of life
     * @param work on this thread, which is interrupted when the claim is lost
     * @return whether it was done now; false when it was done before
     * @throws X what the check or the work threw; then nobody knows whether it was done, unless it has settled the claim itself
     * @throws ClaimLostException when somebody else took it over before it was marked
     * @throws InProgressException and the others as {@link #begin} throws them
     */
    public <X extends Exception> boolean run(
            JobKey key, RequestHash payload, DoneCheck<X> doneBefore, PhasedAction<X> work) throws X {
        Begun<Done> begun = phases.begin(key, payload);
        return begun instanceof Begun.Ours<Done> ours && done(ours, doneBefore, work);
    }

    private <X extends Exception> boolean done(Begun.Ours<Done> ours, DoneCheck<X> doneBefore, PhasedAction<X> work)
            throws X {
        boolean[] isDoneNow = {false};
        phases.<X>call(ours, claim -> {
            if (claim.number() == 1 || !doneBefore.isDone()) {
                work.run(claim);
                isDoneNow[0] = true;
            }
            return Done.DONE;
        });
        return isDoneNow[0];
    }

    /** Ends the threads: claims that are held are not renewed any more. */
    @Override
    public void close() {
        phases.close();
    }
}
