package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The COMMIT on a connection of a data source.
 *
 * @param connection where it is sent
 * @param statement sends it, and is cancelled at the deadline: deferred constraints wait for locks, too. Empty without a deadline,
 *     and when nothing was done that must be committed
 */
record OwnCommit(Connection connection, Optional<PreparedStatement> statement) implements Commit {
    private static final int VALID_SECONDS = 5;

    static OwnCommit of(Connection connection, Watch watch) throws SQLException {
        if (watch.progress().remaining().isEmpty() || !watch.isUsed()) {
            return new OwnCommit(connection, Optional.empty());
        }
        // Prepared, so that the driver keeps it parsed on the server, as it does with its own.
        PreparedStatement statement = connection.prepareStatement("COMMIT");
        watch.running(statement);
        return new OwnCommit(connection, Optional.of(statement));
    }

    @Override
    public void send() throws SQLException {
        if (statement.isPresent()) {
            statement.orElseThrow().execute();
        } else {
            connection.commit();
        }
    }

    /** Where it has ended the session as well (FATAL, PANIC), the answer is none. */
    @Override
    public boolean isRefused(Throwable failure) {
        return Commit.isAnswer(SqlFailures.sqlStates(failure)) && isAlive();
    }

    @Override
    public boolean isDone() {
        return false;
    }

    @Override
    public void close() throws SQLException {
        if (statement.isPresent()) {
            statement.orElseThrow().close();
        }
    }

    private boolean isAlive() {
        try {
            return connection.isValid(VALID_SECONDS);
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
