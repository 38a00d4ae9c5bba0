package dev.cerrojo.idempotency;

/**
 * Work with an effect outside of the database.
 *
 * @param <R> what is kept of it
 * @param <X> what it throws
 */
@FunctionalInterface
public interface PhasedWork<R, X extends Exception> {
    /**
     * Does the work. When it throws, nobody knows whether it was done, unless it has settled the claim itself.
     *
     * @param claim held when the work begins; long work asks it from time to time ({@link Claim#ensureHeld})
     * @return what is kept
     * @throws X what ends the work
     */
    R run(Claim<R> claim) throws X;
}
