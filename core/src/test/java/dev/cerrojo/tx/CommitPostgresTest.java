package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What COMMIT can end with, and what follows it. */
class CommitPostgresTest {
    private Items items;
    private Transactions transactions;
    private final List<String> ran = new ArrayList<>();

    @BeforeEach
    void open() throws SQLException {
        items = new Items();
        transactions = Transactions.over(items.dataSource());
        items.other().run("UPDATE item SET n = id");
        items.other().run("ALTER TABLE item ADD UNIQUE (n) DEFERRABLE INITIALLY DEFERRED");
    }

    @AfterEach
    void close() throws SQLException {
        items.close();
    }

    private static void kill(Items items, String pid) throws SQLException {
        items.other().value("SELECT pg_terminate_backend(" + pid + ", 10000)");
    }

    private static String pid(Transaction tx) throws SQLException {
        return Items.value(tx, "SELECT pg_backend_pid()");
    }

    @Test
    void aDeferredConstraintIsToldAsItIs() throws SQLException {
        TransactionFailedException e = catchThrowableOfType(
                TransactionFailedException.class,
                () -> transactions.run(tx -> {
                    ran.add("attempt");
                    Items.run(tx, "UPDATE item SET n = 7");
                    tx.afterCommit(() -> ran.add("after"));
                }));

        assertThat(e.sqlState()).contains("23505");
        assertThat(ran).containsExactly("attempt");
        assertThat(items.committed()).isEqualTo("1,2");
    }

    @Test
    void aSerializationFailureAtCommitIsRunAgain() throws SQLException {
        items.other().run("""
                CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.n = 8 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF; RETURN NULL; END $$;
                CREATE CONSTRAINT TRIGGER refuse_once AFTER UPDATE ON item DEFERRABLE INITIALLY DEFERRED
                  FOR EACH ROW EXECUTE FUNCTION refuse_once()""");

        transactions.run(tx -> {
            Items.run(tx, "UPDATE item SET n = " + (tx.attempt() == 1 ? 8 : 9) + " WHERE id = 1");
            tx.afterCommit(() -> ran.add("after attempt " + tx.attempt()));
        });

        assertThat(ran).containsExactly("after attempt 2");
        assertThat(items.committed()).isEqualTo("9,2");
    }

    @Test
    void aConnectionLostBeforeCommitIsAPlainFailure() throws SQLException {
        TransactionFailedException e = catchThrowableOfType(
                TransactionFailedException.class,
                () -> transactions.run(tx -> {
                    ran.add("attempt");
                    Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                    kill(items, pid(tx));
                    Items.run(tx, "UPDATE item SET n = 8 WHERE id = 2");
                }));

        assertThat(e.sqlState().orElseThrow()).matches("57P01|08.*");
        assertThat(ran).containsExactly("attempt");
        assertThat(items.committed()).isEqualTo("1,2");
    }

    @Test
    void aLossThatWasSwallowedIsKnownToBeRolledBack() {
        assertThatThrownBy(() -> transactions.run(tx -> {
                    Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                    kill(items, pid(tx));
                    try {
                        Items.run(tx, "UPDATE item SET n = 8 WHERE id = 2");
                    } catch (SQLException e) {
                        ran.add("swallowed");
                    }
                }))
                .isInstanceOf(TransactionRolledBackException.class);

        assertThat(ran).containsExactly("swallowed");
    }

    /** With a deadline COMMIT is a statement, without one a call. */
    @Test
    void aConnectionLostAtCommitIsAnUnknownOutcome() {
        for (TransactionOptions options : List.of(
                TransactionOptions.defaults(),
                TransactionOptions.builder().noDeadline().build())) {
            ran.clear();

            OutcomeUnknownException e = catchThrowableOfType(
                    OutcomeUnknownException.class,
                    () -> transactions.with(options).run(tx -> {
                        ran.add("attempt");
                        Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                        tx.afterCommit(() -> ran.add("after"));
                        kill(items, pid(tx));
                    }));

            assertThat(e.sqlState().orElseThrow()).matches("57P01|08.*");
            assertThat(ran).containsExactly("attempt");
        }
    }

    @Test
    void anUnknownOutcomeWithinIsNotRunAgainByTheOuterRun() {
        assertThatThrownBy(() -> transactions.run(outer -> {
                    ran.add("attempt");
                    try {
                        transactions.run(tx -> {
                            Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                            kill(items, pid(tx));
                        });
                    } catch (OutcomeUnknownException e) {
                        e.addSuppressed(new SQLException("seen, too", "40001"));
                        throw new IllegalStateException(e);
                    }
                }))
                .hasCauseInstanceOf(OutcomeUnknownException.class);

        assertThat(ran).containsExactly("attempt");
    }

    @Test
    void aCommitWithinWhoseActionFailedIsNotRunAgainByTheOuterRun() throws SQLException {
        assertThatThrownBy(() -> transactions.run(outer -> {
                    ran.add("attempt");
                    transactions.run(tx -> {
                        Items.run(tx, "UPDATE item SET n = n + 10 WHERE id = 1");
                        tx.afterCommit(() -> {
                            throw new IllegalStateException(new SQLException("could not serialize", "40001"));
                        });
                    });
                }))
                .isInstanceOf(AfterCommitException.class);

        assertThat(ran).containsExactly("attempt");
        assertThat(items.committed()).isEqualTo("11,2");
    }

    @Test
    void anErrorInAnActionHidesNeitherTheCommitNorTheOthers() throws SQLException {
        AfterCommitException e = catchThrowableOfType(
                AfterCommitException.class,
                () -> transactions.run(tx -> {
                    Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                    tx.afterCommit(() -> {
                        throw new AssertionError("no mail");
                    });
                    tx.afterCommit(() -> ran.add("second"));
                }));

        assertThat(e).hasCauseInstanceOf(AssertionError.class).hasMessageContaining("1 of 2");
        assertThat(ran).containsExactly("second");
        assertThat(items.committed()).isEqualTo("7,2");
    }

    /** In a failed transaction PostgreSQL accepts an empty statement, and then answers COMMIT with ROLLBACK. */
    @Test
    void aStatementOfNothingDoesNotHideAFailure() throws SQLException {
        String silent = items.database().jdbcUrl() + "&preferQueryMode=simple&raiseExceptionOnSilentRollback=false";
        try (Connection connection = DriverManager.getConnection(silent)) {
            Transactions one = Transactions.over(new OneConnection(connection).dataSource());

            assertThatThrownBy(() -> one.run(tx -> {
                        Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                        try {
                            Items.run(tx, "SELECT 1 / 0");
                        } catch (SQLException e) {
                            Items.run(tx, "-- " + e.getSQLState());
                        }
                        tx.afterCommit(() -> ran.add("after"));
                    }))
                    .isInstanceOf(TransactionRolledBackException.class);
        }

        assertThat(ran).isEmpty();
        assertThat(items.committed()).isEqualTo("1,2");
    }

    @Test
    void actionsRunInOrderWhenTheConnectionIsGivenBack() throws SQLException {
        try (OneConnection one = new OneConnection(items.database())) {
            Transactions.over(one.dataSource()).run(tx -> {
                tx.afterCommit(() -> ran.add("first, given back: " + one.isGivenBack()));
                Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                tx.afterCommit(() -> ran.add("second"));
            });
        }

        assertThat(ran).containsExactly("first, given back: true", "second");
    }

    @Test
    void anActionThatThrowsHidesNeitherTheCommitNorTheOthers() throws SQLException {
        AfterCommitException e = catchThrowableOfType(
                AfterCommitException.class,
                () -> transactions.<String, RuntimeException>call(tx -> {
                    Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                    tx.afterCommit(() -> {
                        throw new IllegalStateException("no mail");
                    });
                    tx.afterCommit(() -> ran.add("second"));
                    return "result";
                }));

        assertThat(e).hasCauseInstanceOf(IllegalStateException.class).hasMessageContaining("1 of 2");
        assertThat(e.result()).isEqualTo("result");
        assertThat(ran).containsExactly("second");
        assertThat(items.committed()).isEqualTo("7,2");
    }

    @Test
    void rollbackOnlyEndsRolledBackAndIsNotRunAgain() throws SQLException {
        TransactionRolledBackException e = catchThrowableOfType(
                TransactionRolledBackException.class,
                () -> transactions.run(tx -> {
                    ran.add("attempt");
                    Items.run(tx, "UPDATE item SET n = 7 WHERE id = 1");
                    tx.afterCommit(() -> ran.add("after"));
                    Thread other = new Thread(() -> tx.rollbackOnly("the lease was lost"));
                    other.start();
                    joined(other);
                    tx.rollbackOnly("later");
                }));

        assertThat(e.reason()).isEqualTo("the lease was lost");
        assertThat(ran).containsExactly("attempt");
        assertThat(items.committed()).isEqualTo("1,2");
    }

    @Test
    void rollbackOnlyIsNotRunAgainAfterASerializationFailureEither() {
        assertThatThrownBy(() -> transactions.run(tx -> {
                    ran.add("attempt");
                    tx.rollbackOnly("the lease was lost");
                    throw new SQLException("could not serialize", "40001");
                }))
                .isInstanceOf(TransactionFailedException.class);

        assertThat(ran).containsExactly("attempt");
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void workThatDoesNothingCommitsNothing() {
        assertThat(transactions.<String, RuntimeException>call(tx -> "nothing done"))
                .isEqualTo("nothing done");
    }
}
