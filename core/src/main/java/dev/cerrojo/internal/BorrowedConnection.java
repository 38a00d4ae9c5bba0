package dev.cerrojo.internal;

import java.sql.Connection;
import java.sql.SQLException;

/** One transaction on a connection that was handed out by somebody, and is given back as it was. */
public final class BorrowedConnection {
    private BorrowedConnection() {}

    /**
     * What is done in the transaction.
     *
     * @param <T> what comes of it
     */
    public interface Work<T> {
        /** Does it. */
        T run() throws SQLException;
    }

    /**
     * {@return what came of work in a transaction, which ends with COMMIT, or with ROLLBACK when anything is thrown}
     *
     * @param isolation as {@link Connection#setTransactionIsolation(int)} takes it
     */
    public static <T> T inTransaction(Connection connection, int isolation, boolean readOnly, Work<T> work)
            throws SQLException {
        Before before = Before.of(connection);
        connection.setTransactionIsolation(isolation);
        connection.setReadOnly(readOnly);
        connection.setAutoCommit(false);
        T result;
        try {
            result = work.run();
            connection.commit();
        } catch (SQLException | RuntimeException failure) {
            undo(connection, before, failure);
            throw failure;
        }
        before.restore(connection);
        return result;
    }

    private static void undo(Connection connection, Before before, Exception failure) {
        try {
            connection.rollback();
            before.restore(connection);
        } catch (SQLException too) {
            failure.addSuppressed(too);
        }
    }

    /** How a connection was handed out. */
    private record Before(boolean autoCommit, boolean readOnly, int isolation) {
        static Before of(Connection connection) throws SQLException {
            return new Before(
                    connection.getAutoCommit(), connection.isReadOnly(), connection.getTransactionIsolation());
        }

        void restore(Connection connection) throws SQLException {
            connection.setAutoCommit(autoCommit);
            connection.setReadOnly(readOnly);
            connection.setTransactionIsolation(isolation);
        }
    }
}
