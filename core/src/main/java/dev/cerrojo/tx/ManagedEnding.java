package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;

/** Has a framework end the transaction. */
record ManagedEnding(ManagedTransaction managed) implements Ending {
    @Override
    public Connection connection() {
        return managed.connection();
    }

    @Override
    public Connection asked() {
        return managed.unflushed();
    }

    @Override
    public boolean isWatched() {
        return false;
    }

    @Override
    public boolean isKnownWell() {
        return managed.isKnownWell();
    }

    @Override
    public void flush() throws SQLException {
        managed.flush();
    }

    @Override
    public void begin() {}

    @Override
    public Commit readyToCommit(Watch watch) {
        return new ManagedCommit(managed);
    }

    @Override
    public void rollBack() throws SQLException {
        managed.rollback();
    }

    @Override
    public void giveBack(Commit commit) {}
}
