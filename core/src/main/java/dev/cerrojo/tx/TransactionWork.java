package dev.cerrojo.tx;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Work that is done in a transaction and gives a result. It may be run several times, each time in a transaction of its own,
 * so what it does outside of the database belongs into {@link Transaction#afterCommit}.
 *
 * @param <T> the result
 * @param <X> what it throws besides {@link SQLException}
 */
@FunctionalInterface
@SuppressWarnings("exports") // users need no JSpecify
public interface TransactionWork<T extends @Nullable Object, X extends Exception> {
    /**
     * Does the work.
     *
     * @param transaction valid until this method ends, on this thread
     * @throws X when the work is not to be committed
     * @throws SQLException when a statement failed
     */
    T run(Transaction transaction) throws X, SQLException;
}
