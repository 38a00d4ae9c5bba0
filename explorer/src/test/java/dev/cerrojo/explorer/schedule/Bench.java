package dev.cerrojo.explorer.schedule;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.BareScratch;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Sessions that are no more than lists of SQL, on a database of their own, under a scheduler. */
public final class Bench implements AutoCloseable {
    private final BareScratch database;
    private final Scheduler scheduler;
    private final List<Connection> connections = new ArrayList<>();

    private Bench(BareScratch database, Duration stepTimeout) {
        this.database = database;
        this.scheduler = new Scheduler(
                database.monitor(),
                new Scheduler.Settings(
                        stepTimeout,
                        Scheduler.Settings.standard().timersRunOut(),
                        Scheduler.Settings.standard().firstProbe()));
    }

    /** {@return a bench whose database is as the setup makes it} */
    public static Bench of(String setup, Duration stepTimeout) throws SQLException {
        Bench bench = new Bench(BareScratch.create(TestServer.shared()), stepTimeout);
        try (Connection connection = bench.outside();
                Statement sql = connection.createStatement()) {
            sql.execute(setup);
        }
        bench.database.keep();
        return bench;
    }

    /** {@return a connection that is of no session; the bench closes it} */
    Connection outside() throws SQLException {
        Connection connection = DriverManager.getConnection(database.url("-c deadlock_timeout=1ms"));
        connections.add(connection);
        return connection;
    }

    LockMonitor monitor() {
        return database.monitor();
    }

    static int backend(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }

    /** {@return a connection of a session} */
    Connection connect(int session) throws SQLException {
        Connection connection = outside();
        connection.setAutoCommit(false);
        database.owns(session, backend(connection));
        return connection;
    }

    /** {@return a session that takes these steps, and then COMMIT} */
    public Sql session(int session, String... steps) throws SQLException {
        return new Sql(connect(session), List.of(steps));
    }

    public Trace run(Chooser chooser, SessionProgram... programs) {
        return scheduler.run(List.of(programs), chooser);
    }

    /** Runs a schedule, then lets each session go on as far as it can. */
    Trace run(String schedule, SessionProgram... programs) {
        return run(new Script(schedule), programs);
    }

    /** Ends what a run that was given up left open, and puts the rows back. */
    public void restore() throws SQLException {
        for (Connection connection : connections) {
            if (!connection.isClosed() && !connection.getAutoCommit()) {
                connection.rollback();
            }
        }
        database.restore(false);
    }

    @Override
    public void close() throws SQLException {
        scheduler.close();
        for (Connection connection : connections) {
            connection.close();
        }
        database.close();
    }

    /** Gives turns as a word says. */
    static final class Script implements Chooser {
        private final List<Choice> choices;

        Script(String word) {
            this.choices = Schedule.parse(word).choices();
        }

        @Override
        public int turn(int position, List<Integer> options, int last, Map<Integer, StepInfo> pending) {
            if (position >= choices.size()) {
                return options.contains(last) ? last : options.get(0);
            }
            int session = choices.get(position).session();
            if (!options.contains(session)) {
                throw new Diverged(position, Choice.letter(session) + " cannot go on", Optional.empty());
            }
            return session;
        }

        @Override
        public void victim(int position, Deadlock deadlock) {
            // whoever it is
        }

        @Override
        public boolean wantsFootprints() {
            return true;
        }

        @Override
        public OptionalInt deadlockTimeoutMillis(int session, int step) {
            return OptionalInt.empty();
        }
    }

    /** A session: its SQL, step by step. */
    public static final class Sql implements SessionProgram {
        final Connection connection;
        private final List<String> steps;

        Sql(Connection connection, List<String> steps) {
            this.connection = connection;
            this.steps = steps;
        }

        @Override
        public Outcome run(Gate gate) {
            for (String sql : steps) {
                StepResult result = step(gate, connection, sql);
                if (result.error().isPresent()) {
                    StepResult.Failure failure = result.error().orElseThrow();
                    return new Outcome.Failed(failure.sqlState(), failure.message());
                }
            }
            StepResult commit = step(gate, connection, "COMMIT");
            return commit.error().isEmpty()
                    ? new Outcome.Committed()
                    : new Outcome.Failed(commit.error().orElseThrow().sqlState(), "");
        }

        static StepResult step(Gate gate, Connection connection, String sql) {
            StepInfo info = sql.equals("COMMIT")
                    ? StepInfo.commit(Isolation.READ_COMMITTED)
                    : new StepInfo(StepInfo.Kind.STATEMENT, sql, "", Isolation.READ_COMMITTED, true);
            try {
                return gate.step(info, backend(connection), timer -> execute(connection, sql, timer));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private static StepResult execute(Connection connection, String sql, OptionalInt timer) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET deadlock_timeout = " + timer.orElse(1));
                if (sql.equals("COMMIT")) {
                    connection.commit();
                    return StepResult.DONE;
                }
                return statement.execute(sql)
                        ? first(statement.getResultSet())
                        : new StepResult(statement.getUpdateCount(), Map.of(), Optional.empty());
            } catch (SQLException e) {
                return failed(connection, e);
            }
        }

        private static StepResult first(ResultSet rows) throws SQLException {
            Map<String, @Nullable String> values = new LinkedHashMap<>();
            if (rows.next()) {
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    values.put(rows.getMetaData().getColumnLabel(i), rows.getString(i));
                }
            }
            return new StepResult(values.isEmpty() ? 0 : 1, values, Optional.empty());
        }

        private static StepResult failed(Connection connection, SQLException e) {
            try {
                connection.rollback();
            } catch (SQLException lost) {
                e.addSuppressed(lost);
            }
            ServerErrorMessage server = e instanceof PSQLException p ? p.getServerErrorMessage() : null;
            String detail = server == null || server.getDetail() == null ? "" : server.getDetail();
            return StepResult.failed(
                    new StepResult.Failure(String.valueOf(e.getSQLState()), String.valueOf(e.getMessage()), detail));
        }
    }
}
