package dev.cerrojo.explorer.stress;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/** Asks PostgreSQL who waits for a lock. For any number of threads. */
final class LockWaits implements AutoCloseable {
    private static final String WAITS =
            "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = ? AND wait_event_type = 'Lock')";

    private final Connection connection;
    private final PreparedStatement waits;
    private final ReentrantLock lock = new ReentrantLock();

    LockWaits(Connection connection) throws SQLException {
        this.connection = connection;
        this.waits = connection.prepareStatement(WAITS);
    }

    /** {@return whether a backend waits for a lock now} */
    boolean waits(int backend) throws SQLException {
        lock.lock();
        try {
            waits.setInt(1, backend);
            try (ResultSet row = waits.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
