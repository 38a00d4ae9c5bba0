package dev.cerrojo.tx;

import java.sql.Connection;
import java.sql.SQLException;

/** Whatever begins and ends the transaction of an attempt. */
interface Ending {
    Connection connection();

    /** {@return where it is asked whether the transaction is well, which must change nothing} */
    default Connection asked() {
        return connection();
    }

    /** {@return whether the connection is used only by way of the transaction that the work gets, so that each failure is seen} */
    boolean isWatched();

    /** {@return whether nothing that the watch has not seen can have doomed it} */
    default boolean isKnownWell() {
        return isWatched();
    }

    /** Sends what was kept back until now. */
    default void flush() throws SQLException {}

    /** Begins it, unless it has begun. */
    void begin() throws SQLException;

    /** Makes COMMIT ready to be sent. */
    Commit readyToCommit(Watch watch) throws SQLException;

    /** Rolls it back and gives the connection back. */
    void rollBack() throws SQLException;

    /** Gives the connection back after the commit. */
    void giveBack(Commit commit) throws SQLException;
}
