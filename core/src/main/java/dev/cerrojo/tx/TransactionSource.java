package dev.cerrojo.tx;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * Begins transactions in place of a data source: what a framework implements that manages them itself, so that work that knows only
 * the framework is part of them.
 *
 * <p>Used by any number of threads; a transaction belongs to the thread that began it.
 */
public interface TransactionSource {
    /**
     * {@return the transaction that somebody has begun on this thread, as {@link Transactions#join(java.sql.Connection,
     * TransactionOwner)} gives it; empty when there is none}
     *
     * @throws SQLException when its connection cannot be had
     */
    Optional<Transaction> open() throws SQLException;

    /**
     * Begins a transaction on this thread. The level and {@code READ ONLY} are then set on its connection.
     *
     * @param options as they are given; those that are of no use to the framework are left alone
     * @param remaining how long it may take; empty for no limit
     * @throws SQLException when there is no connection; nothing is open then
     */
    ManagedTransaction begin(TransactionOptions options, Optional<Duration> remaining) throws SQLException;
}
