package dev.cerrojo.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A connection of a test, with a thread of its own for statements that wait. */
public final class Session implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final Connection connection;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final String pid;

    private Session(Connection connection) throws SQLException {
        this.connection = connection;
        this.pid = value("SELECT pg_backend_pid()");
    }

    public static Session of(TestDatabase database) throws SQLException {
        return new Session(database.connect());
    }

    public Connection connection() {
        return connection;
    }

    public void run(List<String> statements) throws SQLException {
        for (String sql : statements) {
            run(sql);
        }
    }

    public void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Each row as {@code a|b}, NULL as nothing. */
    public List<String> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(row(result));
            }
            return rows;
        }
    }

    /** The names of the columns as {@code a|b}. */
    public String columns(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                names.add(result.getMetaData().getColumnLabel(i));
            }
            return String.join("|", names);
        }
    }

    private static String row(ResultSet result) throws SQLException {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            values.add(Optional.ofNullable(result.getString(i)).orElse(""));
        }
        return String.join("|", values);
    }

    public String value(String sql) throws SQLException {
        List<String> rows = rows(sql);
        assertThat(rows).as(sql).hasSize(1);
        return rows.get(0);
    }

    /** The error that the statement must fail with. */
    public ServerErrorMessage error(String sql) {
        try {
            run(sql);
        } catch (SQLException failure) {
            return serverError(failure);
        }
        return fail("must fail: " + sql);
    }

    public String sqlState(String sql) {
        return String.valueOf(error(sql).getSQLState());
    }

    public static ServerErrorMessage serverError(SQLException failure) {
        return Optional.ofNullable(((PSQLException) failure).getServerErrorMessage())
                .orElseThrow(() -> new AssertionError(failure));
    }

    /** Runs the statement on the session's own thread; the answer is the SQLSTATE, {@code 00000} when it succeeds. */
    public CompletableFuture<String> start(String sql) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        run(sql);
                        return "00000";
                    } catch (SQLException failure) {
                        return failure.getSQLState();
                    }
                },
                thread);
    }

    /** Waits until PostgreSQL says that this session waits for the other one. */
    public void awaitBlockedBy(Session other, Session monitor) throws SQLException {
        await("%s = ANY (pg_blocking_pids(%s))".formatted(other.pid, pid), monitor);
    }

    /** Waits until PostgreSQL says that this session waits for another. */
    public void awaitBlocked(Session monitor) throws SQLException {
        await("cardinality(pg_blocking_pids(%s)) > 0".formatted(pid), monitor);
    }

    /** Waits until PostgreSQL says that another session waits for this one. */
    public void awaitBlocking(Session monitor) throws SQLException {
        await(
                "EXISTS (SELECT 1 FROM pg_stat_activity AS a WHERE %s = ANY (pg_blocking_pids(a.pid)))".formatted(pid),
                monitor);
    }

    private static void await(String condition, Session monitor) throws SQLException {
        String sql = "SELECT " + condition;
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!monitor.value(sql).equals("t")) {
            assertThat(System.nanoTime()).as("deadline of the wait for a lock").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    public static String await(CompletableFuture<String> outcome) throws Exception {
        return outcome.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    public static String list(int from, int to, String separator, java.util.function.IntFunction<String> element) {
        return IntStream.rangeClosed(from, to).mapToObj(element).collect(Collectors.joining(separator));
    }

    @Override
    public void close() throws SQLException {
        thread.shutdownNow();
        connection.close();
    }
}
