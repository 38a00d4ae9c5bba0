package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;

/** Ends the transaction on a connection of a data source, which is given back as it was. */
final class OwnEnding implements Ending {
    private final Connection connection;

    /** Whether autocommit is to be on again. */
    private boolean autoCommit;

    OwnEnding(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public boolean isWatched() {
        return true;
    }

    @Override
    public void begin() throws SQLException {
        autoCommit = connection.getAutoCommit();
        if (autoCommit) {
            connection.setAutoCommit(false);
        }
    }

    @Override
    public Commit readyToCommit(Watch watch) throws SQLException {
        return OwnCommit.of(connection, watch);
    }

    /** A connection that cannot be rolled back must not be used again: setAutoCommit would commit. */
    @Override
    public void rollBack() throws SQLException {
        try (connection) {
            try {
                connection.rollback();
            } catch (SQLException | RuntimeException e) {
                connection.abort(Runnable::run);
                throw e;
            }
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        }
    }

    @Override
    public void giveBack(Commit commit) throws SQLException {
        try (connection;
                commit) {
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        }
    }
}
