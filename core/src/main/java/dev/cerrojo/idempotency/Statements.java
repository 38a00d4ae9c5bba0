package dev.cerrojo.idempotency;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements: in a transaction that is open, or each in one of its own.
 *
 * @param <E> what is thrown when one fails
 */
interface Statements<E extends Exception> {
    /** {@return what a statement came to} */
    <T> T query(String what, String sql, Reader<T> reader, List<? extends @Nullable Object> values) throws E;

    /**
     * What is read from the rows.
     *
     * @param <T> what comes of it
     */
    interface Reader<T> {
        /** Reads all rows. */
        T read(ResultSet rows) throws SQLException;
    }
}
