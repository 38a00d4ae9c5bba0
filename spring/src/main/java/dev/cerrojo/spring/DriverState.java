package dev.cerrojo.spring;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** What the driver remembers of PostgreSQL's last answer; loaded only where the driver is. */
final class DriverState {
    private DriverState() {}

    /** {@return whether the transaction was neither failed nor over when PostgreSQL last answered; false when the driver is another} */
    static boolean isOpen(Connection connection) {
        try {
            return connection.isWrapperFor(BaseConnection.class)
                    && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.FAILED;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
