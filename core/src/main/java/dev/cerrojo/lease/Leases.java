package dev.cerrojo.lease;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Takes leases, renews them while they are held, and tells who loses one.
 *
 * <pre>{@code
 * try (Leases leases = Leases.over(dataSource, LeaseSettings.defaults());
 *         Lease lease = leases.acquire(LeaseScope.of("article/42"))) {
 *     lease.runFenced(transactions, tx -> publish(tx, 42));
 * }
 * }</pre>
 *
 * <p>Several scopes are taken in one order, by entity, so that two who want the same ones do not wait for each other; all of them or
 * none. Used by any number of threads. Threads are started when the first lease is taken, and ended by {@link #close}.
 */
public final class Leases implements AutoCloseable {
    private Leases() {}

    /** {@return leases in PostgreSQL, fenced there} */
    public static Leases over(DataSource dataSource, LeaseSettings settings) {
        throw new UnsupportedOperationException("comes soon: " + dataSource + settings);
    }

    /** {@return leases of a store, without fences unless the store is {@link LeaseStore#inPostgres}; closing them closes it} */
    public static Leases over(LeaseStore store, LeaseSettings settings) {
        throw new UnsupportedOperationException("comes soon: " + store + settings);
    }

    /** {@return leases of a store that are fenced in PostgreSQL; closing them closes the store} */
    public static Leases over(LeaseStore store, LeaseSettings settings, Fences fences) {
        throw new UnsupportedOperationException("comes soon: " + store + settings + fences);
    }

    /**
     * Acquires a lease, and waits for it as long as the settings say.
     *
     * @throws LeaseNotAcquiredException when somebody else had it all the time, or the thread was interrupted; nothing is held then
     * @throws LeaseStoreException when the store could not be reached, all the time
     */
    public Lease acquire(LeaseScope... scopes) {
        throw new UnsupportedOperationException("comes soon: " + scopes.length);
    }

    /**
     * Acquires a lease, and waits for it up to a time; else as {@link #acquire(LeaseScope...)}.
     *
     * @param scopes one or more
     * @param waitUpTo zero or more; for all of them together
     */
    public Lease acquire(Collection<LeaseScope> scopes, Duration waitUpTo) {
        throw new UnsupportedOperationException("comes soon: " + scopes + waitUpTo);
    }

    /**
     * Acquires a lease if nobody else has it; does not wait.
     *
     * @param scopes one or more
     * @return the lease; empty when somebody else has it
     * @throws LeaseStoreException when the store cannot be reached
     */
    public Optional<Lease> tryAcquire(LeaseScope... scopes) {
        throw new UnsupportedOperationException("comes soon: " + scopes.length);
    }

    /** Releases what is held, ends the threads, and closes the store. */
    @Override
    public void close() {}
}
