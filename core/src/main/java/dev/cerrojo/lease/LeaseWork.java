package dev.cerrojo.lease;

import org.jspecify.annotations.Nullable;

/**
 * Work that is done under a lease and gives a result.
 *
 * @param <T> the result
 * @param <X> what it throws
 */
@FunctionalInterface
@SuppressWarnings("exports") // users need no JSpecify
public interface LeaseWork<T extends @Nullable Object, X extends Exception> {
    /**
     * Does the work.
     *
     * @param lease held when the work begins; long work asks it from time to time ({@link Lease#ensureHeld})
     * @throws X what ends the work
     */
    T run(Lease lease) throws X;
}
