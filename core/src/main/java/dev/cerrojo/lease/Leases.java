package dev.cerrojo.lease;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
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
    private final Holder holder;

    private Leases(LeaseStore store, LeaseSettings settings, Fencing fencing) {
        this.holder = new Holder(store, settings, fencing);
    }

    /**
     * {@return leases in PostgreSQL, fenced there, in the tables of {@link dev.cerrojo.schema.Schema}}
     *
     * <p>The data source must have connections left while the work uses some: one to renew, and one to listen on while somebody waits. A
     * small pool of its own is best.
     */
    public static Leases over(DataSource dataSource, LeaseSettings settings) {
        return over(LeaseStore.inPostgres(dataSource), settings);
    }

    /** {@return leases of a store, without fences unless the store is {@link LeaseStore#inPostgres}; closing them closes it} */
    public static Leases over(LeaseStore store, LeaseSettings settings) {
        return new Leases(store, settings, Fencing.of(store));
    }

    /** {@return leases of a store that are fenced in PostgreSQL; closing them closes the store} */
    public static Leases over(LeaseStore store, LeaseSettings settings, Fences fences) {
        return new Leases(store, settings, new Fencing(Optional.of(fences), false));
    }

    /**
     * Acquires a lease, and waits for it as long as the settings say.
     *
     * @param scopes one or more
     * @throws LeaseNotAcquiredException when somebody else had it all the time, or the thread was interrupted; nothing is held then
     * @throws LeaseStoreException when the store could not be reached, to the end
     */
    public Lease acquire(LeaseScope... scopes) {
        return acquire(List.of(scopes), holder.settings().waitUpTo());
    }

    /**
     * Acquires a lease, and waits for it up to a time; else as {@link #acquire(LeaseScope...)}.
     *
     * @param scopes one or more
     * @param waitUpTo zero or more; for all of them together
     */
    public Lease acquire(Collection<LeaseScope> scopes, Duration waitUpTo) {
        Acquisition acquisition = acquisition(scopes, waitUpTo);
        try {
            return acquisition.run().orElseThrow(() -> LeaseNotAcquiredException.inTime(acquisition));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LeaseNotAcquiredException.interrupted(acquisition, e);
        }
    }

    /**
     * Acquires a lease if nobody else has it; does not wait.
     *
     * @param scopes one or more
     * @return the lease; empty when somebody else has it
     * @throws LeaseStoreException when the store cannot be reached
     */
    public Optional<Lease> tryAcquire(LeaseScope... scopes) {
        Acquisition acquisition = acquisition(List.of(scopes), Duration.ZERO);
        try {
            return acquisition.run().map(lease -> lease);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw LeaseNotAcquiredException.interrupted(acquisition, e);
        }
    }

    private Acquisition acquisition(Collection<LeaseScope> scopes, Duration waitUpTo) {
        holder.failIfClosed();
        return new Acquisition(holder, Acquisition.sorted(scopes), waitUpTo);
    }

    /** Releases what is held, ends the threads, and closes the store. */
    @Override
    public void close() {
        holder.close();
    }
}
