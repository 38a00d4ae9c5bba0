package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.ConnectionLostException;
import dev.cerrojo.explorer.schedule.StepResult;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Field;
import org.postgresql.core.Query;
import org.postgresql.core.QueryExecutor;
import org.postgresql.core.ResultCursor;
import org.postgresql.core.ResultHandlerBase;
import org.postgresql.core.TransactionState;
import org.postgresql.core.Tuple;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/**
 * A connection that sends each text as one simple query, as {@code PQexec} does: BEGIN and COMMIT in it work. It goes below
 * JDBC, since {@link java.sql.Statement} keeps neither command tags nor the results before an error. Used by one thread at a
 * time.
 */
final class SpecConnection implements AutoCloseable {
    private static final int FLAGS = QueryExecutor.QUERY_SUPPRESS_BEGIN | QueryExecutor.QUERY_ONESHOT;

    private final BaseConnection jdbc;
    private final int backend;
    private final Set<String> begun = new HashSet<>();
    private boolean timerChanged;

    SpecConnection(String url) throws SQLException {
        this.jdbc = DriverManager.getConnection(url).unwrap(BaseConnection.class);
        this.backend = jdbc.getQueryExecutor().getBackendPID();
    }

    int backend() {
        return backend;
    }

    /** {@return what the server said of the transaction at the end of the last query} */
    TransactionState state() {
        return jdbc.getTransactionState();
    }

    boolean isClosed() {
        return jdbc.getQueryExecutor().isClosed();
    }

    Answer execute(String sql) {
        Answer answer = execute(sql, notice -> {});
        if (answer.equals(Answer.BEGUN)) {
            begun.add(sql);
        }
        return answer;
    }

    /**
     * Sends a query and waits for its end.
     *
     * @param notices is given each notice as it comes, as text of one or more lines
     */
    Answer execute(String sql, Consumer<String> notices) {
        Collector collector = new Collector(notices);
        try {
            Query query = jdbc.createQuery(sql, false, false).query;
            jdbc.getQueryExecutor().execute(query, null, collector, 0, 0, FLAGS);
        } catch (SQLException e) {
            return collector.answer(Optional.of(failure(e)));
        }
        return collector.answer(Optional.empty());
    }

    /**
     * Sets the timer of deadlocks, then does the same.
     *
     * @param timer milliseconds; empty for what the connection began with
     * @param always whether the sessions' own SQL may have set it
     */
    Answer execute(String sql, OptionalInt timer, boolean always) {
        if ((timer.isPresent() || timerChanged || always) && state() != TransactionState.FAILED) {
            timerChanged = true;
            execute(timer.isPresent() ? "SET deadlock_timeout = " + timer.getAsInt() : "SET deadlock_timeout = 1");
        }
        return execute(sql);
    }

    /** {@return whether a block only begins a transaction, and has done so here: it is no mistake} */
    boolean hasBegun(SqlBlock block) {
        return begun.contains(block.sql());
    }

    /**
     * Does the same inside a transaction that a block which {@link #hasBegun} begins, in one round trip.
     *
     * @return what was answered to the query alone
     */
    Answer executeIn(SqlBlock begin, String sql, OptionalInt timer, boolean always) {
        Answer both = execute(begin.sql() + "\n;\n" + sql, timer, always);
        if (both.tags().isEmpty()) {
            // not even BEGIN was done, since PostgreSQL reads the whole before it does anything: the query is a mistake
            run(begin.sql());
            return execute(sql, timer, always);
        }
        return both.withoutFirstTag();
    }

    /** Ends what is open, and undoes settings. */
    void cleanUp(boolean thoroughly) {
        if (state() != TransactionState.IDLE) {
            run("ROLLBACK");
        }
        if (thoroughly) {
            run("DISCARD ALL");
        } else if (timerChanged) {
            run("RESET deadlock_timeout");
        }
        timerChanged = false;
    }

    /** Sends what must not fail. */
    Answer run(String sql) {
        Answer answer = execute(sql);
        if (answer.failed()) {
            SQLException cause = answer.error().orElseThrow().cause();
            throw new ConnectionLostException(String.valueOf(cause.getMessage()), cause);
        }
        return answer;
    }

    /** {@return what other sessions have notified this one of since it was last asked} */
    List<PGNotification> notifications() {
        try {
            jdbc.getQueryExecutor().processNotifies();
            PGNotification[] notifications = jdbc.getQueryExecutor().getNotifications();
            return notifications == null ? List.of() : List.of(notifications);
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Answer.Failure failure(SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException p ? p.getServerErrorMessage() : null;
        String state = e.getSQLState() == null ? "XX000" : e.getSQLState();
        if (server == null) {
            return new Answer.Failure("ERROR", new StepResult.Failure(state, String.valueOf(e.getMessage()), ""), e);
        }
        return new Answer.Failure(
                orElse(server.getSeverity(), "ERROR"),
                new StepResult.Failure(state, orElse(server.getMessage(), ""), orElse(server.getDetail(), "")),
                e);
    }

    private static String orElse(@Nullable String text, String other) {
        return text == null ? other : text;
    }

    @Override
    public void close() {
        try {
            jdbc.close();
        } catch (SQLException e) {
            // the connection is gone, which is what was asked for
        }
    }

    /** Keeps everything that comes. */
    private static final class Collector extends ResultHandlerBase {
        private final Consumer<String> notices;
        private final List<Answer.Result> results = new ArrayList<>();
        private final List<String> tags = new ArrayList<>();
        private long changed = -1;
        private boolean endsInRows;

        Collector(Consumer<String> notices) {
            this.notices = notices;
        }

        @Override
        public void handleResultRows(
                Query fromQuery, Field[] fields, List<Tuple> tuples, @Nullable ResultCursor cursor) {
            List<Answer.Column> columns = new ArrayList<>();
            for (Field field : fields) {
                columns.add(new Answer.Column(field.getColumnLabel(), field.getTableOid(), field.getPositionInTable()));
            }
            endsInRows = true;
            results.add(new Answer.Result(
                    List.copyOf(columns), tuples.stream().map(Collector::row).toList()));
        }

        private static List<@Nullable String> row(Tuple tuple) {
            List<@Nullable String> row = new ArrayList<>();
            for (int i = 0; i < tuple.fieldCount(); i++) {
                byte[] value = tuple.get(i);
                row.add(value == null ? null : new String(value, StandardCharsets.UTF_8));
            }
            return row;
        }

        @Override
        public void handleCommandStatus(String status, long updateCount, long insertOid) {
            endsInRows = false;
            tags.add(status);
            changed = status.matches("(INSERT|UPDATE|DELETE|MERGE)\\b.*") ? updateCount : changed;
        }

        @Override
        public void handleWarning(SQLWarning warning) {
            ServerErrorMessage server = warning instanceof PSQLWarning p ? p.getServerErrorMessage() : null;
            if (server != null) {
                notices.accept(server.getSeverity() + ":  " + server.getMessage()
                        + (server.getDetail() == null ? "" : "\nDETAIL:  " + server.getDetail())
                        + (server.getHint() == null ? "" : "\nHINT:  " + server.getHint()));
            }
        }

        Answer answer(Optional<Answer.Failure> error) {
            return new Answer(results, tags, endsInRows && error.isEmpty(), changed, error);
        }
    }
}
