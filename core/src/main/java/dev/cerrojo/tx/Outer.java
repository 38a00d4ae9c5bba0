package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;

/** Tells whether somebody else has begun a transaction on a connection. */
final class Outer {
    private static final String ACTIVE_TRANSACTION = "25001";

    private Outer() {}

    /**
     * A pool may hand out connections with autocommit off on which nothing is open. JDBC has no question for that, but the driver
     * refuses this call within a transaction, and it changes nothing and asks the server nothing.
     */
    static boolean isOpen(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            return false;
        }
        try {
            connection.setReadOnly(connection.isReadOnly());
            return false;
        } catch (SQLException e) {
            if (ACTIVE_TRANSACTION.equals(e.getSQLState())) {
                return true;
            }
            throw e;
        }
    }
}
