package dev.cerrojo.tx;

import dev.cerrojo.internal.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
record Commit(Connection connection, Optional<Statement> statement) {
    private static final int VALID_SECONDS = 5;

    /** PostgreSQL's failures that may come after the transaction has been made durable. */
    private static final Set<String> NOT_AN_ANSWER = Set.of("08", "57P", "58", "XX", "40003");

    static Commit of(Connection connection, Watch watch) throws SQLException {
        if (watch.progress().remaining().isEmpty() || !watch.isUsed()) {
            return new Commit(connection, Optional.empty());
        }
        Statement statement = connection.createStatement();
        watch.running(statement);
        return new Commit(connection, Optional.of(statement));
    }

    void send() throws SQLException {
        if (statement.isPresent()) {
            statement.orElseThrow().execute("COMMIT");
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

    private boolean isAlive() {
        try {
            return connection.isValid(VALID_SECONDS);
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
