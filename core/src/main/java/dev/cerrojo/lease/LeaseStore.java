package dev.cerrojo.lease;

import dev.cerrojo.schema.Schema;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keeps leases. Whoever holds, waits for, renews and loses them is {@link Leases}; a store has no threads of its own but those
 * that listen for {@link #watch}.
 *
 * <p><b>Each operation is one atomic step</b> at the store, on all that belongs to one entity. Time is the store's: a claim is held
 * from {@link #tryAcquire} on until the store's clock has gone past what it was granted for, unless it is renewed or released.
 * What is held by a claim and {@linkplain LeaseClaim#excludes excludes} another refuses that one.
 *
 * <p><b>Failures.</b> Each operation throws {@link LeaseStoreException} when the store cannot be reached or does not answer. Then it
 * may or may not have taken effect; repeating it with the same claim is right in either case.
 *
 * <p>Used by any number of threads.
 */
public interface LeaseStore extends AutoCloseable {
    /**
     * {@return a store in PostgreSQL, in the tables of {@link Schema}, schema {@code cerrojo}}
     *
     * <p>Each acquisition raises the {@linkplain Fences fence} in the same step. Closing the store gives the one connection back
     * that it listens on while somebody waits; the data source stays open.
     */
    static LeaseStore inPostgres(DataSource dataSource) {
        return new PostgresLeaseStore(dataSource, LeaseTables.DEFAULT);
    }

    /**
     * Takes a claim, if nobody else holds what excludes it; does not wait.
     *
     * <p>What is held by the same owner does not refuse it: an attempt whose answer was lost can be repeated, and is granted with a
     * new token.
     *
     * @param leaseDuration how long it is to be held; at least as long it is granted
     * @throws LeaseStoreException when the store cannot be reached or does not answer
     */
    LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration);

    /**
     * Has a claim held for longer. Never takes what is no longer held, by expiry, release, or loss of the store's memory; never what
     * another owner holds.
     *
     * @param leaseDuration how long it is to be held from now on
     * @return how long it is valid, from some time between the request and the answer on; empty when it is lost
     * @throws LeaseStoreException when the store cannot be reached or does not answer; that does not mean that it is lost
     */
    Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration);

    /**
     * Gives a claim up, and tells who {@linkplain #watch watches} its entity. Does nothing to what another owner holds.
     *
     * @return whether it was held until now
     * @throws LeaseStoreException when the store cannot be reached or does not answer; then it ends when its time is over
     */
    boolean release(LeaseClaim claim);

    /**
     * Has a hint given whenever something of an entity may have been released. Hints are no promise: one may be missing, or come for
     * nothing; expiry gives none. A release that comes after this method has returned should give one within a few milliseconds.
     *
     * <p>A store without this gives none, and who waits asks again from time to time.
     *
     * @param upTo for how long at most anybody will wait
     * @param hint called on a thread of the store's; returns at once, and throws nothing
     * @return ends it when it is closed
     */
    default ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        return ReleaseWatch.NONE;
    }

    /**
     * Removes what has long been over and is in nobody's way, a bounded amount. A store that forgets by itself does nothing.
     *
     * @return how many entries were removed
     * @throws LeaseStoreException when the store cannot be reached or does not answer
     */
    default int purge() {
        return 0;
    }

    /** Gives back what the store has opened by itself. What it was given stays open. */
    @Override
    void close();
}
