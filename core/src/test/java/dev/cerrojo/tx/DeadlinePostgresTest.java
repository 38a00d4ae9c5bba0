package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.sessions.Session;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadlinePostgresTest {
    private static final Duration SHORT = Duration.ofSeconds(2);

    private Items items;
    private Transactions hasty;
    private int attempts;

    @BeforeEach
    void open() throws SQLException {
        items = new Items();
        hasty = Transactions.over(
                items.dataSource(), TransactionOptions.builder().deadline(SHORT).build());
    }

    @AfterEach
    void close() throws SQLException {
        items.close();
    }

    private void lockItems() throws SQLException {
        items.other().run(List.of("BEGIN", "UPDATE item SET n = n + 1"));
    }

    private void add(Transaction tx) throws SQLException {
        attempts = tx.attempt();
        Items.run(tx, "UPDATE item SET n = n + 10");
    }

    @Test
    void itEndsAWaitForALock() throws SQLException {
        lockItems();

        DeadlineExceededException e = catchThrowableOfType(DeadlineExceededException.class, () -> hasty.run(this::add));

        assertThat(SqlFailures.sqlStates(e)).contains("57014");
        assertThat(e.attempts()).isEqualTo(1);
        assertThat(e.deadline()).isEqualTo(SHORT);
        items.other().run("COMMIT");
        assertThat(items.committed()).isEqualTo("1,1");
    }

    /** The control. */
    @Test
    void withoutADeadlineItWaitsForEver() throws Exception {
        lockItems();
        Transactions patient =
                hasty.with(TransactionOptions.builder().noDeadline().build());
        CompletableFuture<String> pid = new CompletableFuture<>();
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> patient.run(tx -> {
            pid.complete(Items.value(tx, "SELECT pg_backend_pid()"));
            add(tx);
        }));

        try (Session monitor = Session.of(items.database())) {
            awaitWaiting(monitor, pid.get(10, TimeUnit.SECONDS));
            assertThat(run).isNotDone();
        }
        items.other().run("COMMIT");
        run.get(10, TimeUnit.SECONDS);
        assertThat(items.committed()).isEqualTo("11,11");
    }

    private static void awaitWaiting(Session monitor, String pid) throws SQLException {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (monitor.value("SELECT cardinality(pg_blocking_pids(" + pid + "))")
                .equals("0")) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
    }

    @Test
    void itEndsAWaitOfCommit() throws SQLException {
        items.other().run("CREATE TABLE badge (no int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
        items.other().run(List.of("BEGIN", "INSERT INTO badge VALUES (1)"));

        DeadlineExceededException e = catchThrowableOfType(
                DeadlineExceededException.class, () -> hasty.run(tx -> Items.run(tx, "INSERT INTO badge VALUES (1)")));

        assertThat(SqlFailures.sqlStates(e)).contains("57014");
        items.other().run("COMMIT");
        assertThat(items.other().value("SELECT count(*) FROM badge")).isEqualTo("1");
    }

    @Test
    void itCoversAllAttemptsAndWaits() throws SQLException {
        Transactions losing = hasty.with(TransactionOptions.builder()
                .isolation(Isolation.REPEATABLE_READ)
                .deadline(SHORT)
                .maxAttempts(Integer.MAX_VALUE)
                .build());

        DeadlineExceededException e = catchThrowableOfType(
                DeadlineExceededException.class,
                () -> losing.run(tx -> {
                    attempts = tx.attempt();
                    items.conflict(tx);
                }));

        assertThat(attempts).isGreaterThan(1);
        assertThat(e.attempts()).isGreaterThanOrEqualTo(attempts);
        assertThat(e.getSuppressed().length + (e.getCause() == null ? 0 : 1)).isGreaterThanOrEqualTo(attempts - 1);
    }

    @Test
    void nothingIsCommittedAfterIt() throws SQLException {
        DeadlineExceededException e = catchThrowableOfType(
                DeadlineExceededException.class,
                () -> hasty.run(tx -> {
                    add(tx);
                    while (!tx.remaining().orElseThrow().isZero()) {
                        Thread.onSpinWait();
                    }
                }));

        assertThat(e).hasNoCause().hasMessageContaining("PT2S");
        assertThat(items.committed()).isEqualTo("0,0");
    }

    @Test
    void workThatSwallowsTheCancelledStatementEndsAlike() throws SQLException {
        lockItems();

        DeadlineExceededException e = catchThrowableOfType(
                DeadlineExceededException.class,
                () -> hasty.run(tx -> {
                    try {
                        add(tx);
                    } catch (SQLException cancelled) {
                        // as careless code does
                    }
                }));

        assertThat(SqlFailures.sqlStates(e)).contains("57014");
    }

    @Test
    void aTimeoutOfTheUsersIsToldAsItIs() throws SQLException {
        lockItems();
        Transactions patient = hasty.with(TransactionOptions.defaults());

        TransactionFailedException own = catchThrowableOfType(
                TransactionFailedException.class,
                () -> patient.run(tx -> {
                    try (Statement statement = tx.connection().createStatement()) {
                        statement.setQueryTimeout(1);
                        statement.execute("SELECT 1");
                        assertThat(statement.getQueryTimeout()).isEqualTo(1);
                        statement.execute("UPDATE item SET n = 5");
                    }
                }));
        TransactionFailedException servers = catchThrowableOfType(
                TransactionFailedException.class,
                () -> patient.run(tx -> {
                    Items.run(tx, "SET LOCAL statement_timeout = 50");
                    add(tx);
                }));

        assertThat(own.sqlState()).contains("57014");
        assertThat(servers.sqlState()).contains("57014");
    }
}
