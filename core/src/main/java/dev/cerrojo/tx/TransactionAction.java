package dev.cerrojo.tx;

import java.sql.SQLException;

/**
 * Work that is done in a transaction and gives no result; else as {@link TransactionWork}.
 *
 * @param <X> what it throws besides {@link SQLException}
 */
@FunctionalInterface
public interface TransactionAction<X extends Exception> {
    /**
     * Does the work.
     *
     * @param transaction valid until this method ends, on this thread
     * @throws X when the work is not to be committed
     * @throws SQLException when a statement failed
     */
    void run(Transaction transaction) throws X, SQLException;
}
