package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.internal.SqlFailures;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is run again, and what is not. */
class RetryPostgresTest {
    private Items items;
    private Transactions transactions;
    private int attempts;

    @BeforeEach
    void open() throws SQLException {
        items = new Items();
        transactions = items.transactions(Isolation.REPEATABLE_READ);
    }

    @AfterEach
    void close() throws SQLException {
        items.close();
    }

    /** In the first attempt. */
    private void conflictOnce(Transaction tx) throws SQLException {
        attempts = tx.attempt();
        if (tx.attempt() == 1) {
            items.conflict(tx);
        }
    }

    @Test
    void aSerializationFailureIsRunAgainWithAFreshSnapshot() throws SQLException {
        List<String> seen = new ArrayList<>();

        String result = transactions.call(tx -> {
            seen.add(Items.value(tx, "SELECT n FROM item WHERE id = 1"));
            conflictOnce(tx);
            Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 1");
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(seen).containsExactly("0", "1");
        assertThat(items.committed()).isEqualTo("11,0");
    }

    /** The control. */
    @Test
    void withOneAttemptItFails() throws SQLException {
        Transactions once = transactions.with(
                transactions.options().toBuilder().maxAttempts(1).build());

        RetriesExhaustedException e =
                catchThrowableOfType(RetriesExhaustedException.class, () -> once.run(this::conflictOnce));

        assertThat(e.attempts()).isEqualTo(1);
        assertThat(e.sqlState()).isEqualTo("40001");
        assertThat(items.committed()).isEqualTo("1,0");
    }

    @Test
    void exhaustionTellsEveryFailure() {
        Transactions thrice = transactions.with(transactions.options().toBuilder()
                .maxAttempts(3)
                .backoff(Duration.ZERO, Duration.ZERO)
                .build());

        RetriesExhaustedException e =
                catchThrowableOfType(RetriesExhaustedException.class, () -> thrice.run(items::conflict));

        assertThat(e.attempts()).isEqualTo(3);
        assertThat(e.elapsed()).isPositive();
        assertThat(e.getCause()).isInstanceOf(SQLException.class);
        assertThat(e.getSuppressed())
                .hasSize(2)
                .allMatch(it -> SqlFailures.again(it).isPresent());
        assertThat(e).hasMessageContaining("3 times").hasMessageContaining("40001");
    }

    @Test
    void aDeadlockIsRunAgain() throws Exception {
        items.other().run(List.of("SET deadlock_timeout = '1min'", "BEGIN", "UPDATE item SET n = 5 WHERE id = 2"));
        CompletableFuture<?>[] waiter = new CompletableFuture<?>[1];

        transactions.run(tx -> {
            attempts = tx.attempt();
            Items.run(tx, "SET LOCAL deadlock_timeout = '10ms'");
            if (tx.attempt() == 1) {
                Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 1");
                waiter[0] = items.other().start("UPDATE item SET n = 5 WHERE id = 1");
                Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
            } else {
                waiter[0].join();
                items.other().run("COMMIT");
                Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
            }
        });

        assertThat(attempts).isEqualTo(2);
        assertThat(items.committed()).isEqualTo("5,15");
    }

    @Test
    void inABatchItIsRunAgain() throws SQLException {
        transactions.run(tx -> {
            attempts = tx.attempt();
            Items.run(tx, "SELECT FROM item");
            if (tx.attempt() == 1) {
                items.other().run("UPDATE item SET n = 1 WHERE id = 2");
            }
            try (PreparedStatement add = tx.connection().prepareStatement("UPDATE item SET n = n + 10 WHERE id = ?")) {
                for (int id = 1; id <= 2; id++) {
                    add.setInt(1, id);
                    add.addBatch();
                }
                add.executeBatch();
            }
        });

        assertThat(attempts).isEqualTo(2);
        assertThat(items.committed()).isEqualTo("10,11");
    }

    @Test
    void wrappedByAFrameworkItIsRunAgain() {
        transactions.run(tx -> {
            attempts = tx.attempt();
            if (tx.attempt() == 1) {
                SQLException hiding = new SQLException("a batch failed");
                hiding.setNextException(new SQLException("could not serialize", "40001"));
                throw new IllegalStateException("data access failed", hiding);
            }
        });

        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void swallowedUntilTheNextStatementItIsRunAgain() throws SQLException {
        transactions.run(tx -> {
            swallow(() -> conflictOnce(tx));
            Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
        });

        assertThat(attempts).isEqualTo(2);
        assertThat(items.committed()).isEqualTo("1,10");
    }

    @Test
    void swallowedByWorkThatReturnsItIsRunAgain() throws SQLException {
        transactions.run(tx -> {
            Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
            swallow(() -> conflictOnce(tx));
        });

        assertThat(attempts).isEqualTo(2);
        assertThat(items.committed()).isEqualTo("1,10");
    }

    @Test
    void swallowedByWorkThatThrowsItsOwnItIsRunAgain() throws SQLException {
        transactions.run(tx -> {
            try {
                conflictOnce(tx);
            } catch (SQLException e) {
                throw new IllegalStateException("not told why");
            }
            Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
        });

        assertThat(attempts).isEqualTo(2);
        assertThat(items.committed()).isEqualTo("1,10");
    }

    /** The control: what JDBC alone says to it. */
    @Test
    void plainJdbcCommitsNothingAndSaysNothing() throws SQLException {
        try (var connection = items.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            Items.run(connection, "UPDATE item SET n = n + 10 WHERE id = 2");
            swallow(() -> Items.run(connection, "INSERT INTO item VALUES (1)"));
            connection.commit();
        }

        assertThat(items.committed()).isEqualTo("0,0");
    }

    @Test
    void anotherFailureThatWasSwallowedIsNotCommitted() throws SQLException {
        TransactionRolledBackException e = catchThrowableOfType(
                TransactionRolledBackException.class,
                () -> transactions.run(tx -> {
                    attempts = tx.attempt();
                    Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
                    swallow(() -> Items.run(tx, "INSERT INTO item VALUES (1)"));
                    swallow(() -> Items.run(tx, "UPDATE item SET n = 3"));
                }));

        assertThat(attempts).isEqualTo(1);
        assertThat(SqlFailures.sqlStates(e)).containsExactly("23505");
        assertThat(items.committed()).isEqualTo("0,0");
    }

    @Test
    void theFirstFailureIsToldAndNotWhatFollowedIt() {
        TransactionFailedException e = catchThrowableOfType(
                TransactionFailedException.class,
                () -> transactions.run(tx -> {
                    attempts = tx.attempt();
                    swallow(() -> Items.run(tx, "INSERT INTO item VALUES (1)"));
                    Items.run(tx, "UPDATE item SET n = 3");
                }));

        assertThat(attempts).isEqualTo(1);
        assertThat(e.sqlState()).contains("23505");
    }

    @Test
    void whatTheDriverAloneRefusedDoomsNothing() throws SQLException {
        transactions.run(tx -> {
            attempts = tx.attempt();
            Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
            try (PreparedStatement one = tx.connection().prepareStatement("SELECT ?")) {
                swallow(() -> one.setInt(7, 1));
            }
        });

        assertThat(attempts).isEqualTo(1);
        assertThat(items.committed()).isEqualTo("0,10");
    }

    @Test
    void undoneByASavepointItIsNoFailureOfTheTransaction() throws SQLException {
        transactions.run(tx -> {
            attempts = tx.attempt();
            Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 2");
            Savepoint before = tx.connection().setSavepoint();
            swallow(() -> conflictOnce(tx));
            tx.connection().rollback(before);
        });

        assertThat(attempts).isEqualTo(1);
        assertThat(items.committed()).isEqualTo("1,10");
    }

    @Test
    void afterAnUndoneFailureAnExceptionOfTheWorksIsItsOwn() throws SQLException {
        IllegalStateException e = catchThrowableOfType(
                IllegalStateException.class,
                () -> transactions.run(tx -> {
                    Items.run(tx, "SAVEPOINT before");
                    swallow(() -> conflictOnce(tx));
                    Items.run(tx, "ROLLBACK TO before");
                    throw new IllegalStateException("no");
                }));

        assertThat(e).hasNoSuppressedExceptions();
        assertThat(attempts).isEqualTo(1);
    }

    /** What is left without the undone part is serializable: as if this one had come first, and had only read. */
    @Test
    void atSerializablePostgresAnswersForAnUndoneFailure() throws SQLException {
        List<String> failures = new ArrayList<>();

        items.transactions(Isolation.SERIALIZABLE).run(tx -> {
            Items.run(tx, "SELECT FROM item");
            items.other()
                    .run(List.of(
                            "BEGIN ISOLATION LEVEL SERIALIZABLE",
                            "SELECT FROM item",
                            "UPDATE item SET n = 1 WHERE id = 2",
                            "COMMIT"));
            Savepoint before = tx.connection().setSavepoint();
            try {
                Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 1");
            } catch (SQLException e) {
                failures.add(e.getSQLState());
                tx.connection().rollback(before);
            }
        });

        assertThat(failures).containsExactly("40001");
        assertThat(items.committed()).isEqualTo("0,1");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"40000", "40002", "40003", "55P03", "57014", "08006", "23505", "XX000", "99999"})
    void nothingElseIsRunAgain(String sqlState) {
        TransactionFailedException e = catchThrowableOfType(
                TransactionFailedException.class,
                () -> transactions.run(tx -> {
                    attempts = tx.attempt();
                    throw new SQLException("thrown by the work", sqlState);
                }));

        assertThat(attempts).isEqualTo(1);
        assertThat(e.sqlState().orElse(null)).isEqualTo(sqlState);
    }

    @Test
    void whatARunWithinTheWorkGaveUpIsNotRunAgain() {
        Transactions twice = transactions.with(
                transactions.options().toBuilder().maxAttempts(2).build());

        assertThatThrownBy(() -> transactions.run(outer -> {
                    attempts = outer.attempt();
                    twice.run(items::conflict);
                }))
                .isInstanceOf(RetriesExhaustedException.class);

        assertThat(attempts).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWait() throws SQLException {
        Transactions patient = transactions.with(transactions.options().toBuilder()
                .backoff(Duration.ofHours(1), Duration.ofHours(1))
                .noDeadline()
                .build());

        TransactionInterruptedException e = catchThrowableOfType(
                TransactionInterruptedException.class,
                () -> patient.run(tx -> {
                    Thread.currentThread().interrupt();
                    conflictOnce(tx);
                }));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(SqlFailures.again(e)).contains("40001");
        assertThat(items.committed()).isEqualTo("1,0");
    }

    /** As the field report had it; 6 of 10 succeeded there. */
    @Test
    void tenOfTenWritersOfOneKeySucceed() {
        Transactions serializable = items.transactions(Isolation.SERIALIZABLE);
        ExecutorService threads = Executors.newFixedThreadPool(10);
        try {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                writers.add(CompletableFuture.runAsync(() -> serializable.run(this::increment), threads));
            }
            writers.forEach(CompletableFuture::join);

            assertThat(serializable.<String, SQLException>call(
                            tx -> Items.value(tx, "SELECT n FROM item WHERE id = 1")))
                    .isEqualTo("10");
        } catch (SQLException e) {
            throw new AssertionError(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void increment(Transaction tx) throws SQLException {
        int n = Integer.parseInt(Items.value(tx, "SELECT n FROM item WHERE id = 1"));
        Items.run(tx, "UPDATE item SET n = " + (n + 1) + " WHERE id = 1");
    }

    private interface Sql {
        void run() throws SQLException;
    }

    private static void swallow(Sql sql) {
        try {
            sql.run();
        } catch (SQLException e) {
            // as careless code does
        }
    }
}
