package dev.cerrojo.lease;

/**
 * Work that is done under a lease and gives no result; else as {@link LeaseWork}.
 *
 * @param <X> what it throws
 */
@FunctionalInterface
public interface LeaseAction<X extends Exception> {
    /**
     * Does the work.
     *
     * @param lease held when the work begins
     * @throws X what ends the work
     */
    void run(Lease lease) throws X;
}
