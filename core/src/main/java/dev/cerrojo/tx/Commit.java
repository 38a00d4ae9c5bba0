package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The COMMIT of an attempt, ready to be sent.
 *
 * @param connection where it is sent
 * @param statement sends it, and is cancelled at the deadline: deferred constraints wait for locks, too. Empty without a deadline,
 *     and when nothing was done that must be committed
 */
record Commit(Connection connection, Optional<PreparedStatement> statement) implements AutoCloseable {
    private static final int VALID_SECONDS = 5;

    /** PostgreSQL's failures that may come after the transaction has been made durable. */
    private static final Set<String> NOT_AN_ANSWER = Set.of("08", "57P", "58", "XX", "40003");

    static Commit of(Connection connection, Watch watch) throws SQLException {
        if (watch.progress().remaining().isEmpty() || !watch.isUsed()) {
            return new Commit(connection, Optional.empty());
        }
        // Prepared, so that the driver keeps it parsed on the server, as it does with its own.
        PreparedStatement statement = connection.prepareStatement("COMMIT");
        watch.running(statement);
        return new Commit(connection, Optional.of(statement));
    }

    void send() throws SQLException {
        if (statement.isPresent()) {
            statement.orElseThrow().execute();
        } else {
            connection.commit();
        }
    }

    /**
     * {@return whether PostgreSQL has said that it does not commit}
     *
     * <p>Where it has ended the session as well (FATAL, PANIC), the answer is none.
     */
    boolean isRefused(Throwable failure) {
        List<String> states = SqlFailures.sqlStates(failure);
        return !states.isEmpty()
                && states.stream().noneMatch(state -> NOT_AN_ANSWER.stream().anyMatch(state::startsWith))
                && isAlive();
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
