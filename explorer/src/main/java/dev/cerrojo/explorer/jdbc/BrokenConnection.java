package dev.cerrojo.explorer.jdbc;

import java.sql.SQLException;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** What code gets to see of a connection that broke: what PostgreSQL's driver throws then. */
final class BrokenConnection {
    /** Class 08 of SQLSTATEs is that of broken connections. */
    private static final String CLASS = "08";

    private BrokenConnection() {}

    /** {@return what comes instead of an answer} */
    static SQLException unanswered() {
        return new PSQLException(
                "An I/O error occurred while sending to the backend: the connection broke before an answer came.",
                PSQLState.CONNECTION_FAILURE);
    }

    /** {@return what comes of using it again} */
    static SQLException closed() {
        return new PSQLException("This connection has been closed.", PSQLState.CONNECTION_DOES_NOT_EXIST);
    }

    /** {@return whether code threw because of it, as it is or as a cause} */
    static boolean isIn(Throwable thrown) {
        return SqlFailure.chain(thrown).stream()
                .anyMatch(one -> one instanceof SQLException sql
                        && sql.getSQLState() != null
                        && sql.getSQLState().startsWith(CLASS));
    }
}
