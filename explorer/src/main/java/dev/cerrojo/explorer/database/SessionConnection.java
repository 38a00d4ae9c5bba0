package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.database.CompiledStatement.Column;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.sql.SqlText;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A connection of a session, kept from run to run. Used by one thread at a time. */
final class SessionConnection implements AutoCloseable {
    /** The first words of statements that cannot run without a snapshot; LOCK and SET do, and of others one is not sure. */
    private static final Set<String> TAKE_SNAPSHOT =
            Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES", "TABLE");

    private final Connection jdbc;
    private final int backend;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private final Map<String, Boolean> takesSnapshot = new HashMap<>();
    private @Nullable Isolation isolation;
    private boolean open;
    private boolean snapshotTaken;
    private boolean timerChanged;

    SessionConnection(String url) throws SQLException {
        this.jdbc = DriverManager.getConnection(url);
        this.backend = jdbc.unwrap(PGConnection.class).getBackendPID();
        jdbc.setAutoCommit(false);
    }

    int backend() {
        return backend;
    }

    /** {@return whether a transaction has begun} */
    boolean isOpen() {
        return open;
    }

    /** {@return whether the server has ended it, as far as is known} */
    boolean isLost() throws SQLException {
        return jdbc.isClosed();
    }

    /** {@return whether no statement before can have taken the snapshot of the open transaction} */
    boolean mayTakeSnapshot() {
        return !open || !snapshotTaken;
    }

    /** Sets the level of the next transaction. Costs a round trip only when it is another than before. */
    void isolate(Isolation wanted) throws SQLException {
        if (wanted != isolation) {
            jdbc.setTransactionIsolation(wanted.jdbcLevel());
            isolation = wanted;
        }
    }

    /** Runs a statement, and binds what it returns to the variables. */
    StepResult execute(
            CompiledStatement statement,
            boolean bindsRowCount,
            Map<String, Datum> variables,
            OptionalInt timer,
            @Nullable Told told) {
        return guarded(() -> {
            setTimer(timer);
            PreparedStatement call = prepare(statement);
            statement.bind(call, variables);
            open = true;
            snapshotTaken |= takesSnapshot.computeIfAbsent(statement.sql().text(), SessionConnection::takesSnapshot);
            return call.execute()
                    ? rows(call.getResultSet(), statement, bindsRowCount, variables, told)
                    : updated(call.getUpdateCount(), variables, told);
        });
    }

    private static boolean takesSnapshot(String sql) {
        return TAKE_SNAPSHOT.contains(SqlText.of(sql).firstWord());
    }

    private PreparedStatement prepare(CompiledStatement statement) throws SQLException {
        // the same text may be bound in different ways by different transactions
        String key = statement.binding() + " " + statement.sql().jdbc();
        PreparedStatement known = prepared.get(key);
        if (known == null) {
            known = jdbc.prepareStatement(statement.sql().jdbc());
            prepared.put(key, known);
        }
        return known;
    }

    static StepResult rows(
            ResultSet rows,
            CompiledStatement statement,
            boolean bindsRowCount,
            Map<String, Datum> variables,
            @Nullable Told told)
            throws SQLException {
        try (rows) {
            List<Column> columns = statement.columns().isEmpty() ? Columns.of(rows.getMetaData()) : statement.columns();
            Map<String, @Nullable String> first = new LinkedHashMap<>();
            long count = 0;
            if (told != null) {
                told.columns(columns);
            }
            while (rows.next()) {
                if (told != null) {
                    told.row(rows);
                }
                if (count++ == 0) {
                    for (int i = 0; i < columns.size(); i++) {
                        first.put(columns.get(i).name(), rows.getString(i + 1));
                    }
                }
            }
            for (Column column : columns) {
                variables.put(column.name(), new Datum(column.type(), first.get(column.name())));
            }
            if (bindsRowCount) {
                variables.put("rowcount", Datum.ofInteger(count));
            }
            columns.stream()
                    .filter(column -> column.type().equals("void"))
                    .forEach(column -> first.remove(column.name()));
            return new StepResult(count, first, Optional.empty());
        }
    }

    static StepResult updated(int count, Map<String, Datum> variables, @Nullable Told told) {
        if (told != null) {
            told.changed(count);
        }
        variables.put("rowcount", Datum.ofInteger(Math.max(count, 0)));
        return new StepResult(count, Map.of(), Optional.empty());
    }

    /** Runs the deferred constraints and triggers of the transaction now. */
    StepResult deferredChecks(OptionalInt timer) {
        return guarded(() -> {
            setTimer(timer);
            try (Statement call = jdbc.createStatement()) {
                call.execute("SET CONSTRAINTS ALL IMMEDIATE");
            }
            return StepResult.DONE;
        });
    }

    StepResult commit() {
        return guarded(() -> {
            jdbc.commit();
            ended();
            return StepResult.DONE;
        });
    }

    StepResult rollback() {
        return guarded(() -> {
            jdbc.rollback();
            ended();
            return StepResult.DONE;
        });
    }

    /**
     * Makes the connection as it was before the first run.
     *
     * @param cleaning what undoes what a transaction's end does not; empty when there is nothing
     */
    void afterRun(String cleaning) throws SQLException {
        jdbc.rollback();
        ended();
        if (timerChanged || !cleaning.isEmpty()) {
            try (Statement call = jdbc.createStatement()) {
                call.execute(cleaning.isEmpty() ? RESET_TIMER : cleaning);
            }
            jdbc.commit();
            timerChanged = false;
            isolation = null;
        }
    }

    private static final String RESET_TIMER = "RESET deadlock_timeout";

    private void ended() {
        open = false;
        snapshotTaken = false;
    }

    private void setTimer(OptionalInt millis) throws SQLException {
        if (millis.isEmpty() && !timerChanged) {
            return;
        }
        timerChanged = true;
        try (Statement call = jdbc.createStatement()) {
            call.execute(millis.isPresent() ? "SET deadlock_timeout = " + millis.getAsInt() : RESET_TIMER);
        }
    }

    private StepResult guarded(Call call) {
        try {
            return call.run();
        } catch (SQLException e) {
            StepResult.Failure failure = failure(e);
            try {
                // PostgreSQL has released everything at the error; this only ends the block
                jdbc.rollback();
            } catch (SQLException lost) {
                e.addSuppressed(lost);
                throw new ConnectionLostException(failure.message(), e);
            }
            ended();
            return StepResult.failed(failure);
        }
    }

    private static StepResult.Failure failure(SQLException e) {
        String state = e.getSQLState() == null ? "XX000" : e.getSQLState();
        ServerErrorMessage server = e instanceof PSQLException p ? p.getServerErrorMessage() : null;
        String message =
                server == null || server.getMessage() == null ? String.valueOf(e.getMessage()) : server.getMessage();
        String detail = server == null || server.getDetail() == null ? "" : server.getDetail();
        return new StepResult.Failure(state, message, detail);
    }

    /** Breaks the connection off, as a client does that dies. */
    void breakOff() {
        try {
            jdbc.abort(Runnable::run);
        } catch (SQLException e) {
            // it was broken already
        }
        ended();
    }

    @Override
    public void close() {
        try {
            jdbc.close();
        } catch (SQLException e) {
            // the connection is gone, which is what was asked for
        }
    }

    @FunctionalInterface
    private interface Call {
        StepResult run() throws SQLException;
    }
}
