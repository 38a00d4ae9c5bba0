package dev.cerrojo.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.AfterCommitException;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.OuterTransaction;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.TransactionRolledBackException;
import dev.cerrojo.tx.Transactions;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedTransactionsPostgresTest {
    private static final Invariant COVERAGE = Invariants.onCallCoverage();
    private static final SerializationPoint TOUCH = SerializationPoint.touch(COVERAGE);
    private static final Invariant MANAGER =
            Invariant.named("a_manager").says("somebody manages").atLeast(1, Rows.of("manager"));

    static final List<SerializationPoint> AT_READ_COMMITTED = List.of(
            TOUCH,
            SerializationPoint.lockScopeRow(COVERAGE, SerializationPoint.RowLock.FOR_NO_KEY_UPDATE),
            SerializationPoint.lockScopeRow(COVERAGE, SerializationPoint.RowLock.FOR_UPDATE),
            SerializationPoint.advisory(COVERAGE),
            SerializationPoint.advisory(COVERAGE, 74921, "hashtext(:scope)"));

    private TestDatabase database;
    private Session session;
    private Session monitor;
    private GuardedTransactions guarded;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        session = Session.of(database);
        monitor = Session.of(database);
        session.run(new GuardTable("cerrojo").createStatements());
        session.run("""
                CREATE TABLE shift (id int PRIMARY KEY, active boolean NOT NULL DEFAULT true);
                CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL,
                    qualified boolean NOT NULL DEFAULT true, active boolean NOT NULL DEFAULT true);
                CREATE TABLE manager (name text);
                INSERT INTO shift VALUES (1), (2), (17);
                INSERT INTO on_call VALUES (1, 'A'), (1, 'B'), (2, 'A'), (2, 'B'), (17, 'A'), (17, 'B');
                INSERT INTO manager VALUES ('M')""");
        guarded = GuardedTransactions.over(Transactions.over(database.dataSource()));
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
        monitor.close();
        database.close();
    }

    private static TransactionAction<RuntimeException> leave(int shift, String doctor) {
        return tx -> execute(
                tx, "UPDATE on_call SET active = false WHERE shift_id = " + shift + " AND doctor = '" + doctor + "'");
    }

    private static void execute(Transaction tx, String sql) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    private GuardedTransactions at(Isolation isolation) {
        return GuardedTransactions.over(Transactions.over(
                database.dataSource(),
                TransactionOptions.builder().isolation(isolation).build()));
    }

    /** While the session holds the point, the guarded transaction waits; then it gets what it would get a year later. */
    @ParameterizedTest
    @FieldSource("AT_READ_COMMITTED")
    void theSecondGetsTheSequentialAnswer(SerializationPoint point) throws Exception {
        session.run("BEGIN");
        session.run(point.sql("1"));
        session.run("UPDATE on_call SET active = false WHERE shift_id = 1 AND doctor = 'A'");
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> guarded.run(point.at(1), leave(1, "B")));
        session.awaitBlocking(monitor);
        session.run("COMMIT");

        Throwable concurrent = catchThrowableOfType(ExecutionException.class, () -> get(second))
                .getCause();
        Throwable sequential =
                catchThrowableOfType(InvariantViolatedException.class, () -> guarded.run(point.at(1), leave(1, "B")));
        assertThat(concurrent).isInstanceOf(InvariantViolatedException.class).hasMessage(sequential.getMessage());
        assertThat(session.rows(COVERAGE.violationSql())).isEmpty();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    @Test
    void theViolatingRowsAreTold() {
        guarded.run(TOUCH.at(1), leave(1, "A"));

        assertThatThrownBy(() -> guarded.run(TOUCH.at(1), leave(1, "B")))
                .isInstanceOfSatisfying(InvariantViolatedException.class, refused -> {
                    assertThat(refused.invariant()).isEqualTo(COVERAGE);
                    assertThat(refused.violations())
                            .singleElement()
                            .satisfies(row ->
                                    assertThat(row).containsEntry("id", 1).containsEntry("count", 0L));
                })
                .hasMessageContaining("every active shift keeps a doctor");
    }

    @ParameterizedTest
    @FieldSource("AT_READ_COMMITTED")
    void anotherScopeDoesNotWait(SerializationPoint point) throws SQLException {
        session.run("BEGIN; " + point.sql("1"));

        guarded.run(point.at(2), leave(2, "A"));

        session.run("COMMIT");
    }

    @Test
    void aPointThatDoesNotHoldIsRefusedBeforeTheWork() {
        for (Isolation above : List.of(Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE)) {
            for (SerializationPoint point : AT_READ_COMMITTED.subList(1, AT_READ_COMMITTED.size())) {
                assertThatThrownBy(() -> at(above).run(point.at(1), tx -> {
                            throw new AssertionError("the work must not run");
                        }))
                        .isInstanceOf(NotProtectedException.class)
                        .hasMessageContaining("does not protect invariant on_call_coverage at " + above.sql())
                        .hasMessageContaining("use touch");
            }
        }
        SerializationPoint serializable = SerializationPoint.serializable(COVERAGE);
        assertThatThrownBy(() -> at(Isolation.REPEATABLE_READ).run(serializable.at(1), leave(1, "A")))
                .isInstanceOf(NotProtectedException.class)
                .hasMessageContaining("run every transaction that may break it at serializable");
        at(Isolation.SERIALIZABLE).run(serializable.at(1), leave(1, "A"));
    }

    /** No option says so; the server's own default does. */
    @Test
    void theLevelIsAskedOfTheDatabase() throws SQLException {
        session.run("ALTER DATABASE " + session.value("SELECT current_database()")
                + " SET default_transaction_isolation = 'repeatable read'");

        assertThatThrownBy(
                        () -> guarded.run(SerializationPoint.advisory(COVERAGE).at(1), leave(1, "A")))
                .isInstanceOf(NotProtectedException.class)
                .hasMessageContaining("at repeatable read");
        guarded.run(TOUCH.at(1), leave(1, "A"));
    }

    /** Otherwise 17 and 17.0 would be two guard rows, and their transactions pass each other. */
    @Test
    void equalKeysOfAnyJavaTypeAreOneScope() throws SQLException {
        for (Object key : List.of(17, 17L, "17", new BigDecimal("17.0"), (short) 17)) {
            guarded.run(TOUCH.at(key), tx -> {});
        }
        guarded.run(List.of(TOUCH.at(17), TOUCH.at("17"), TOUCH.at(2)), tx -> {});

        assertThat(session.rows("SELECT scope, touched FROM cerrojo.guard ORDER BY scope"))
                .containsExactly("17|5", "2|0");
    }

    @Test
    void aKeyThatHasSeveralTextsIsRefused() throws SQLException {
        session.run("CREATE TABLE slot (begins timestamptz); CREATE TABLE seat (begins timestamptz)");
        Invariant seats = Invariant.named("seats")
                .per("slot", "begins")
                .atMost(3, Rows.of("seat").by("begins"));

        assertThatThrownBy(() -> guarded.run(SerializationPoint.touch(seats).at("2026-01-01"), tx -> {}))
                .isInstanceOf(NotProtectedException.class)
                .hasMessageContaining("timestamp with time zone")
                .hasMessageContaining("lock the scope row");
        session.run("INSERT INTO slot VALUES ('2026-01-01')");
        SerializationPoint row = SerializationPoint.lockScopeRow(seats, SerializationPoint.RowLock.FOR_UPDATE);
        guarded.run(row.at("2026-01-01"), tx -> {});
    }

    @Test
    void aScopeRowThatIsNotThereCannotBeLocked() {
        SerializationPoint row = SerializationPoint.lockScopeRow(COVERAGE, SerializationPoint.RowLock.FOR_UPDATE);

        assertThatThrownBy(() -> guarded.run(List.of(row.at(1), row.at(99)), leave(1, "A")))
                .isInstanceOf(NotProtectedException.class)
                .hasMessageContaining("found 1 of the scope rows [1, 99]");
    }

    @Test
    void aScopeTableThatIsNotThereIsNamed() {
        Invariant typo = Invariant.named("typo")
                .per("shft", "id")
                .atLeast(1, Rows.of("on_call").by("shift_id"));

        assertThatThrownBy(() -> guarded.run(SerializationPoint.touch(typo).at(1), tx -> {}))
                .isInstanceOf(NotProtectedException.class)
                .hasMessageContaining("shft(id)");
    }

    /** a_manager comes first: who waits for it must not hold on_call_coverage yet. */
    @Test
    void severalInvariantsAreTakenInOneOrder() throws Exception {
        SerializationPoint manager = SerializationPoint.touch(MANAGER);
        session.run("BEGIN; " + manager.sql(""));
        CompletableFuture<Void> both =
                CompletableFuture.runAsync(() -> guarded.run(List.of(TOUCH.at(1), manager.globally()), leave(1, "A")));
        session.awaitBlocking(monitor);

        guarded.run(TOUCH.at(1), tx -> {});
        session.run("COMMIT");
        get(both);
        assertThat(session.value("SELECT touched FROM cerrojo.guard WHERE scope = 'global'"))
                .isEqualTo("1");
    }

    @Test
    void eachOfSeveralInvariantsIsChecked() {
        SerializationPoint manager = SerializationPoint.touch(MANAGER);

        assertThatThrownBy(() ->
                        guarded.run(List.of(TOUCH.at(1), manager.globally()), tx -> execute(tx, "DELETE FROM manager")))
                .isInstanceOfSatisfying(
                        InvariantViolatedException.class,
                        refused -> assertThat(refused.invariant()).isEqualTo(MANAGER));
        assertThatThrownBy(() -> guarded.run(
                        List.of(TOUCH.at(1), TOUCH.at(2)), tx -> execute(tx, "DELETE FROM on_call WHERE shift_id = 2")))
                .isInstanceOf(InvariantViolatedException.class)
                .hasMessageContaining("id=2");
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        assertThatThrownBy(() -> guarded.run(List.of(), tx -> {})).hasMessageContaining("at least one scope");
        assertThatThrownBy(() -> guarded.run(
                        List.of(
                                TOUCH.at(1),
                                SerializationPoint.advisory(COVERAGE).at(2)),
                        tx -> {}))
                .isInstanceOf(NotProtectedException.class)
                .hasMessageContaining("use the same for all its scopes");
        assertThatThrownBy(TOUCH::globally).isInstanceOf(InvalidInvariantException.class);
        assertThatThrownBy(() -> SerializationPoint.touch(MANAGER).at(1)).isInstanceOf(InvalidInvariantException.class);
    }

    @Test
    void aConditionMayUseOperatorsWithAQuestionMark() throws SQLException {
        session.run("CREATE TABLE team (id int, tags jsonb); INSERT INTO team VALUES (1, '{\"open\": 1}')");
        Invariant open = Invariant.named("open")
                .per("shift", "id")
                .atLeast(1, Rows.of("team").by("id").where("tags ? 'open'"));

        guarded.run(SerializationPoint.touch(open).at(1), tx -> {});
        assertThatThrownBy(() -> guarded.run(
                        SerializationPoint.touch(open).at(1), tx -> execute(tx, "UPDATE team SET tags = '{}'")))
                .isInstanceOf(InvariantViolatedException.class);
    }

    @Test
    void aViolationThatWasSwallowedIsNotCommitted() throws SQLException {
        assertThatThrownBy(() -> Transactions.over(database.dataSource()).run(tx -> {
                    try {
                        guarded.join(tx, List.of(TOUCH.at(1)), open -> {
                            execute(open, "DELETE FROM on_call WHERE shift_id = 1");
                            return "done";
                        });
                    } catch (InvariantViolatedException e) {
                        assertThat(e.violations()).isNotEmpty();
                    }
                }))
                .isInstanceOf(TransactionRolledBackException.class);

        assertThat(session.rows(COVERAGE.violationSql())).isEmpty();
    }

    /** What an action after the commit was refused does not undo the commit. */
    @Test
    void whatIsCommittedIsNotToldToBeViolated() throws SQLException {
        assertThatThrownBy(() -> guarded.run(TOUCH.at(1), tx -> {
                    execute(tx, "DELETE FROM on_call WHERE shift_id = 1 AND doctor = 'A'");
                    tx.afterCommit(() -> {
                        throw new IllegalStateException(
                                new SQLException("violates check constraint \"" + COVERAGE.name() + "\"", "23514"));
                    });
                }))
                .isInstanceOf(AfterCommitException.class);

        assertThat(session.value("SELECT count(*) FROM on_call WHERE shift_id = 1"))
                .isEqualTo("1");
    }

    @Test
    void whatTheWorkThrowsComesOutAndNothingIsKept() throws SQLException {
        IllegalStateException thrown = new IllegalStateException("as it was");

        assertThatThrownBy(() -> guarded.run(TOUCH.at(1), tx -> {
                    execute(tx, "DELETE FROM on_call WHERE doctor = 'A'");
                    throw thrown;
                }))
                .isSameAs(thrown);
        assertThat(session.value("SELECT count(*) FROM on_call")).isEqualTo("6");
        assertThat(guarded.<Integer, RuntimeException>call(TOUCH.at(1), Transaction::attempt))
                .isEqualTo(1);
    }

    @Test
    void anOpenTransactionIsJoinedWhileItsSnapshotIsFresh() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            session.value("SELECT 1");
            Transaction open = Transactions.join(connection);
            execute(open, "SELECT count(*) FROM on_call");
            guarded.<Void, RuntimeException>join(open, List.of(TOUCH.at(1)), tx -> {
                leave(1, "A").run(tx);
                return null;
            });
            connection.rollback();

            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            guarded.<Void, RuntimeException>join(open, List.of(TOUCH.at(1)), tx -> null);
            assertThatThrownBy(() -> guarded.<Void, RuntimeException>join(open, List.of(TOUCH.at(1)), tx -> null))
                    .isInstanceOf(NotProtectedException.class)
                    .hasMessageContaining("repeatable read and has already run a query");
            connection.rollback();
        }
        assertThat(session.value("SELECT count(*) FROM on_call WHERE active")).isEqualTo("6");
    }

    /** The data source of a framework hands out the connection of the transaction that it began. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDataSourceMayHandOutAnOpenTransaction(boolean queried) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            GuardedTransactions joining = GuardedTransactions.over(Transactions.over(
                    OpenTransaction.handingOut(connection),
                    TransactionOptions.builder().outer(OuterTransaction.JOIN).build()));
            try (Statement statement = connection.createStatement()) {
                statement.execute(queried ? "SELECT 1" : "SET LOCAL lock_timeout = 0");
            }

            CountDownLatch worked = new CountDownLatch(1);
            Throwable refused = catchThrowable(() -> joining.run(TOUCH.at(1), tx -> worked.countDown()));
            assertThat(worked.getCount()).as("%s", refused).isEqualTo(queried ? 1 : 0);
            assertThat(refused instanceof NotProtectedException).isEqualTo(queried);
            connection.rollback();
        }
    }

    /** Services that take these two locks by hand, and this library. */
    @Test
    void plainSqlWithTheSameAdvisoryKeysExcludesAGuardedTransaction() throws Exception {
        session.run(
                "CREATE TABLE organization (id text PRIMARY KEY); INSERT INTO organization VALUES ('acme'), ('other');"
                        + " CREATE TABLE member (organization text, admin boolean);"
                        + " INSERT INTO member VALUES ('acme', true), ('other', true)");
        Invariant admins = Invariant.named("admins")
                .per("organization", "id")
                .atLeast(1, Rows.of("member").by("organization").where("admin"));
        SerializationPoint platform = SerializationPoint.advisory(MANAGER, 74920, "0");
        SerializationPoint tenant = SerializationPoint.advisory(admins, 74921, "hashtext(:scope)");

        excludes("SELECT pg_advisory_xact_lock(74920, 0)", platform.globally());
        excludes("SELECT pg_advisory_xact_lock(74921, hashtext('acme'))", tenant.at("acme"));
        session.run("BEGIN; SELECT pg_advisory_xact_lock(74921, hashtext('acme'))");
        guarded.run(tenant.at("other"), tx -> {});
        session.run("COMMIT");
    }

    private void excludes(String byHand, GuardedScope scope) throws Exception {
        session.run("BEGIN; " + byHand);
        CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> guarded.run(scope, tx -> {}));
        session.awaitBlocking(monitor);
        session.run("COMMIT");
        get(waits);

        guarded.run(scope, tx -> {
            CompletableFuture<String> waiting = session.start("BEGIN; " + byHand + "; COMMIT");
            session.awaitBlocked(monitor);
            assertThat(waiting).isNotDone();
            tx.afterCommit(() -> {
                try {
                    assertThat(Session.await(waiting)).isEqualTo("00000");
                } catch (Exception failure) {
                    throw new CompletionException(failure);
                }
            });
        });
    }
}
