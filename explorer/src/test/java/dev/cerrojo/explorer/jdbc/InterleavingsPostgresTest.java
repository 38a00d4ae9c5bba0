package dev.cerrojo.explorer.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.jdbc.Doctors.LastDoctorException;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;

class InterleavingsPostgresTest {
    private final TestDatabase database = TestDatabase.create();
    private final Interleavings race = new Interleavings();
    private final Doctors doctors = new Doctors(race.over(database.dataSource()).dataSource());

    @BeforeEach
    void twoDoctors() throws SQLException {
        Doctors.setUp(database.dataSource(), 2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Findings explore() {
        Findings findings =
                race.mayRefuse(LastDoctorException.class).holds(Doctors.NOBODY).explore();
        return findings;
    }

    @Test
    void twoWhoCountAndWriteAreFoundViolated() {
        race.session("Ana leaves", () -> doctors.leave("Ana")).session("Ben leaves", () -> doctors.leave("Ben"));

        Findings findings = explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void twoWhoTakeTheShiftFirstHold() {
        race.session("Ana leaves", () -> doctors.leaveLocked("Ana"))
                .session("Ben leaves", () -> doctors.leaveLocked("Ben"));

        assertThat(explore().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void statementsThatCommitByThemselvesAreFoundViolated() {
        race.session("Ana leaves", () -> doctors.leaveWithoutTransaction("Ana"))
                .session("Ben leaves", () -> doctors.leaveWithoutTransaction("Ben"));

        assertThat(explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void retriesAtSerializableHoldAndReachTheCodesOwnLoop() {
        race.session("Ana leaves", () -> doctors.leaveWithRetry("Ana", 5))
                .session("Ben leaves", () -> doctors.leaveWithRetry("Ben", 5))
                .neverFails();

        assertThat(explore().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void withoutARetryTheErrorReachesTheCaller() {
        race.session("Ana leaves", () -> doctors.leaveWithRetry("Ana", 1))
                .session("Ben leaves", () -> doctors.leaveWithRetry("Ben", 1))
                .neverFails();

        Findings findings = explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.summary()).contains("neverFails");
    }

    @Test
    void ofThreeSessionsTheWitnessNamesThoseThatMatter() {
        race.session("reads", () -> query("SELECT count(*) FROM shift"))
                .session("Ana leaves", () -> doctors.leave("Ana"))
                .session("Ben leaves", () -> doctors.leave("Ben"));

        Findings findings = explore();

        assertThat(findings.example().orElseThrow().token().toString()).startsWith("1.BC:");
        assertThat(findings.text()).contains("Ana leaves").doesNotContain("reads");
    }

    @Test
    void aWitnessOfSomeOfTheSessionsIsReplayed() {
        Findings replayed = three(new Interleavings(replaying(ReplayToken.parse("1.BC:ABABBA"))))
                .explore();

        assertThat(replayed.summary())
                .startsWith("VIOLATED: the replayed schedule 1.BC:ABABBA-")
                .contains(" ends with the rule");
    }

    private Interleavings three(Interleavings some) {
        Doctors of = new Doctors(some.over(database.dataSource()).dataSource());
        return some.session("stays", () -> of.leave("Cleo"))
                .session("Ana leaves", () -> of.leave("Ana"))
                .session("Ben leaves", () -> of.leave("Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(Doctors.NOBODY);
    }

    @Test
    void aScheduleIsReplayedExactly() {
        race.session("Ana leaves", () -> doctors.leave("Ana")).session("Ben leaves", () -> doctors.leave("Ben"));
        var token = explore().example().orElseThrow().token();

        Findings again = again(token).explore();

        assertThat(again.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(again.schedules()).isEqualTo(1);
        assertThat(again.example().orElseThrow().token()).isEqualTo(token);
        assertThat(again(ReplayToken.parse("AAABB")).explore().verdict()).isEqualTo(Verdict.HOLDS);
    }

    private static Interleavings.Settings replaying(ReplayToken token) {
        Interleavings.Settings standard = Interleavings.Settings.standard();
        return new Interleavings.Settings(
                standard.bounds(), standard.mode(), standard.disposable(), Optional.of(token));
    }

    private Interleavings again(ReplayToken token) {
        Interleavings replay = new Interleavings(replaying(token));
        Doctors again = new Doctors(replay.over(database.dataSource()).dataSource());
        return replay.session("Ana leaves", () -> again.leave("Ana"))
                .session("Ben leaves", () -> again.leave("Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(Doctors.NOBODY);
    }

    @Test
    void aScheduleOfOtherStepsIsNotReplayed() {
        assertThatThrownBy(() -> again(ReplayToken.parse("AAAAAB")).explore())
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining("the schedule 1:AAAAAB could not be followed: diverged at step 4");
    }

    @Test
    void aScheduleThatIsLongerOrShorterIsNotReplayed() {
        assertThatThrownBy(() -> again(ReplayToken.parse("AAABBB")).explore())
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining("diverged at step 6: it is B's turn, but all is done");
        assertThatThrownBy(() -> again(ReplayToken.parse("AAA")).explore())
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining(
                        "diverged at step 4: the schedule ends here, but session B still does \"SELECT count(*)");
        assertThatThrownBy(() -> again(ReplayToken.parse("9:AAABB")).explore())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a schedule of a race begins with 1 to 4");
    }

    private void query(String sql) throws SQLException {
        try (Connection connection = race.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                rows.getString(1);
            }
        }
    }

    /** Runs statements with autocommit off, on one connection; {@code COMMIT} and {@code ROLLBACK} by the driver. */
    private SessionBody transaction(String... statements) {
        return () -> {
            try (Connection connection = race.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                try (Statement sql = connection.createStatement()) {
                    for (String statement : statements) {
                        sql.execute(statement);
                    }
                }
                connection.commit();
            }
        };
    }

    private static List<String> steps(Findings findings) {
        return findings.example().orElseThrow().execution().trace().events().stream()
                .filter(TraceEvent.Started.class::isInstance)
                .map(event -> ((TraceEvent.Started) event).step().sql())
                .toList();
    }

    @Test
    void deadlocksAreFoundAndTheirVictimsChosen() {
        race.session(
                        "one way",
                        transaction(
                                "UPDATE on_call SET active = true WHERE doctor = 'Ana'",
                                "UPDATE on_call SET active = true WHERE doctor = 'Ben'"))
                .session(
                        "the other",
                        transaction(
                                "UPDATE on_call SET active = true WHERE doctor = 'Ben'",
                                "UPDATE on_call SET active = true WHERE doctor = 'Ana'"))
                .neverDeadlocks();

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.text()).contains("deadlock of A and B").contains("40P01");
    }

    @Test
    void whoWritesOtherRowsNeverWaits() {
        race.session("Ana leaves", transaction("UPDATE on_call SET active = false WHERE doctor = 'Ana'"))
                .session("Ben leaves", transaction("UPDATE on_call SET active = false WHERE doctor = 'Ben'"))
                .neverWaits()
                .check();
    }

    @Test
    void whoWritesOneRowWaits() {
        race.session("Ana leaves", transaction("UPDATE on_call SET active = false WHERE doctor = 'Ana'"))
                .session("she leaves again", transaction("UPDATE on_call SET active = false WHERE doctor = 'Ana'"))
                .neverWaits();

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.example().orElseThrow().execution().violations())
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.invariant()).isEqualTo("neverWaits");
                    assertThat(violation.rows()).containsExactly(List.of("B", "A"));
                });
    }

    @Test
    void aDeferredTriggerThatOnlyCountsIsFoundViolated() throws SQLException {
        execute("""
                CREATE FUNCTION count_doctors() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                  IF NOT EXISTS (SELECT FROM on_call WHERE active) THEN
                    RAISE EXCEPTION 'nobody is on call';
                  END IF;
                  RETURN NULL;
                END $$;
                CREATE CONSTRAINT TRIGGER counted AFTER UPDATE ON on_call DEFERRABLE INITIALLY DEFERRED
                  FOR EACH ROW EXECUTE FUNCTION count_doctors()""");
        race.session("Ana leaves", transaction("UPDATE on_call SET active = false WHERE doctor = 'Ana'"))
                .session("Ben leaves", transaction("UPDATE on_call SET active = false WHERE doctor = 'Ben'"));

        Findings findings = explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(steps(findings)).contains("COMMIT: deferred checks");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void whatFailsInCommitReachesTheCode() throws SQLException {
        execute("ALTER TABLE on_call ADD CONSTRAINT kept CHECK (true), ADD COLUMN note text,"
                + " ADD CONSTRAINT unique_note UNIQUE (note) DEFERRABLE INITIALLY DEFERRED");
        race.session("one", transaction("UPDATE on_call SET note = 'x' WHERE doctor = 'Ana'"))
                .session("other", transaction("UPDATE on_call SET note = 'x' WHERE doctor = 'Ben'"))
                .holds("at most one", "SELECT note FROM on_call GROUP BY note HAVING count(note) > 1")
                .neverFails();

        Findings findings = race.explore();

        assertThat(findings.summary()).contains("neverFails").doesNotContain("at most one");
        assertThat(findings.text()).contains("23505");
    }

    @Test
    void savepointsAreStepsAndGiveBackWhatTheyHeld() {
        SessionBody tries = () -> {
            try (Connection connection = race.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                try (Statement sql = connection.createStatement()) {
                    Savepoint savepoint = connection.setSavepoint();
                    sql.executeUpdate("UPDATE on_call SET active = false WHERE doctor = 'Ana'");
                    connection.rollback(savepoint);
                    sql.executeUpdate("UPDATE on_call SET active = false WHERE doctor = 'Cleo'");
                    Savepoint named = connection.setSavepoint("named");
                    connection.releaseSavepoint(named);
                }
                connection.commit();
            }
        };
        race.session("tries", tries)
                .session("Ana leaves", () -> doctors.leave("Ana"))
                .holds("Ana stays", "SELECT FROM on_call WHERE doctor = 'Ana' AND NOT active");

        Findings findings = race.explore();

        assertThat(steps(findings))
                .contains(
                        "SAVEPOINT (without a name)",
                        "ROLLBACK TO SAVEPOINT (without a name)",
                        "SAVEPOINT named",
                        "RELEASE SAVEPOINT named");
    }

    @Test
    void aDataSourceThatWasUnwrappedIsNamed() {
        race.session("looks behind", () -> {
                    assertThat(race.dataSource().isWrapperFor(PGSimpleDataSource.class))
                            .isTrue();
                    assertThat(race.dataSource()
                                    .unwrap(PGSimpleDataSource.class)
                                    .getDatabaseName())
                            .isNotNull();
                    query("SELECT 1");
                })
                .neverFails();

        assertThat(race.explore().summary()).contains("with the PGSimpleDataSource that unwrap found is not seen");
    }

    @Test
    void whatTheDriverRefusesIsRefused() {
        race.session("asks for the impossible", () -> {
                    try (Connection connection = race.dataSource().getConnection()) {
                        assertThatThrownBy(connection::setSavepoint).isInstanceOf(PSQLException.class);
                        assertThatThrownBy(connection::commit).isInstanceOf(PSQLException.class);
                    }
                    query("SELECT 1");
                })
                .neverFails()
                .check();
    }

    @Test
    void askingWhetherAConnectionIsValidBeginsNothing() {
        race.session("asks first", () -> {
                    try (Connection connection = race.dataSource().getConnection()) {
                        connection.setAutoCommit(false);
                        assertThat(connection.isValid(1)).isTrue();
                        doctors.leave("Ana");
                    }
                })
                .neverFails()
                .check();
    }

    @Test
    void switchingAutocommitOnIsACommit() {
        SessionBody switches = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setAutoCommit(false);
                sql.executeUpdate("UPDATE on_call SET active = false WHERE doctor = 'Ana'");
                connection.setAutoCommit(true);
                assertThat(connection.getAutoCommit()).isTrue();
            }
        };
        race.session("switches", switches).holds("never", "SELECT 1");

        assertThat(steps(race.explore())).hasSize(2).last().isEqualTo("COMMIT");
    }

    @Test
    void closingWithAnOpenTransactionIsARollback() {
        SessionBody closes = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setAutoCommit(false);
                sql.executeUpdate("UPDATE on_call SET active = false WHERE doctor = 'Ana'");
            }
        };
        race.session("closes", closes).holds("never", "SELECT 1");

        Findings findings = race.explore();

        assertThat(steps(findings)).hasSize(2).last().isEqualTo("ROLLBACK");
    }

    @Test
    void transactionsMayBeWrittenInSql() {
        SessionBody written = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    Statement sql = connection.createStatement()) {
                sql.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
                sql.executeUpdate("UPDATE on_call SET active = false WHERE doctor = 'Ana'");
                sql.executeUpdate("UPDATE on_call SET active = false WHERE doctor = 'Ben'");
                sql.execute("COMMIT");
            }
        };
        race.session("written", written).holds("never", "SELECT 1");

        Findings findings = race.explore();

        assertThat(steps(findings)).hasSize(3).last().isEqualTo("COMMIT");
        assertThat(findings.example()
                        .orElseThrow()
                        .execution()
                        .trace()
                        .points()
                        .get(0)
                        .step()
                        .orElseThrow()
                        .isolation())
                .isEqualTo(Isolation.REPEATABLE_READ);
    }

    @Test
    void statementsOfOneTextMayBeginAndEndTransactions() {
        race.session("in pieces", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            Statement sql = connection.createStatement()) {
                        sql.execute("BEGIN; UPDATE on_call SET active = false WHERE doctor = 'Ana'");
                        sql.execute("UPDATE on_call SET active = true WHERE doctor = 'Ana'; COMMIT; BEGIN");
                        sql.execute("UPDATE on_call SET active = false WHERE doctor = 'Cleo'");
                        sql.execute("COMMIT");
                    }
                })
                .session("Ana leaves", () -> doctors.leave("Ana"))
                .neverDeadlocks();

        assertThat(race.explore().summary()).startsWith("HOLDS").endsWith("schedules run).");
    }

    @Test
    void rowsComeToTheCodeAsTheyWouldWithoutUs() {
        SessionBody reads = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    Statement sql = connection.createStatement()) {
                sql.setFetchSize(1);
                assertThat(sql.execute("UPDATE on_call SET active = true RETURNING doctor"))
                        .isTrue();
                List<String> doctors = new ArrayList<>();
                try (ResultSet rows = sql.getResultSet()) {
                    assertThat(rows.isBeforeFirst()).isTrue();
                    assertThat(rows.getRow()).isZero();
                    assertThat(rows.getStatement()).isSameAs(sql);
                    while (rows.next()) {
                        doctors.add(rows.getString(1));
                        assertThat(rows.getRow()).isEqualTo(doctors.size());
                    }
                }
                assertThat(doctors).containsExactlyInAnyOrder("Ana", "Ben", "Cleo");
                assertThat(sql.getFetchSize()).isEqualTo(1);
                assertThat(sql.getConnection()).isSameAs(connection);
                assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
                try (ResultSet none = sql.executeQuery("SELECT 1 WHERE false")) {
                    assertThat(none.isBeforeFirst()).isFalse();
                    assertThat(none.next()).isFalse();
                }
                assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
                assertThat(connection.unwrap(PGConnection.class).getBackendPID())
                        .isPositive();
                assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
                assertThat(connection.isWrapperFor(String.class)).isFalse();
            }
        };
        race.session("reads", reads).neverFails();

        assertThat(race.explore().summary())
                .startsWith("HOLDS")
                .contains("but what is done with the PGConnection that unwrap found is not seen, ");
    }

    @Test
    void anErrorComesOutAsItWasThrown() {
        SessionBody fails = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    Statement sql = connection.createStatement()) {
                assertThatThrownBy(() -> sql.execute("SELECT nonsense"))
                        .isExactlyInstanceOf(PSQLException.class)
                        .hasFieldOrPropertyWithValue("SQLState", "42703");
                assertThat(connection.getAutoCommit()).isTrue();
                sql.execute("SELECT 1");
            }
        };
        race.session("fails", fails).neverDeadlocks().check();
    }

    @Test
    void whatASessionThrowsFailsTheRaceUnlessItSaysNo() {
        race.session("Ana leaves", () -> {
                    doctors.leaveLocked("Ana");
                    throw new IllegalStateException("what now?");
                })
                .neverDeadlocks();

        assertThatThrownBy(race::check)
                .isInstanceOf(InterleavingFailure.class)
                .hasMessageContaining("sessions end as expected")
                .hasMessageContaining("IllegalStateException: what now?");
    }

    @Test
    void anAssertionInASessionIsAQuestionToo() {
        race.session("Ana leaves", () -> {
                    assertThat(active()).isEqualTo(2);
                    doctors.leave("Ana");
                })
                .session("Ben leaves", () -> doctors.leave("Ben"))
                .mayRefuse(LastDoctorException.class)
                .neverDeadlocks();

        Findings findings = race.explore();

        assertThat(findings.summary()).contains("an assertion in a session");
        assertThat(findings.text()).contains("InterleavingsPostgresTest");
    }

    private int active() throws SQLException {
        try (Connection connection = race.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM on_call WHERE active")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void codeCanAssertAtTheEndOfEachSchedule() {
        race.session("Ana leaves", () -> doctors.leave("Ana"))
                .session("Ben leaves", () -> doctors.leave("Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds("somebody stays", () -> assertThat(active()).isPositive());

        assertThat(race.explore().summary()).contains("somebody stays");
    }

    @Test
    void aTransactionLeftOpenFailsTheRace() {
        race.session("leaves it open", () -> {
                    Connection connection = race.dataSource().getConnection();
                    connection.setAutoCommit(false);
                    connection.createStatement().executeUpdate("UPDATE on_call SET active = false");
                })
                .neverDeadlocks();

        assertThatThrownBy(race::check)
                .hasMessageContaining("a transaction open")
                .hasMessageContaining("a connection that it did not close");
    }

    @Test
    void aRaceThatNobodyCanWinIsNoProof() {
        race.session("fails", transaction("INSERT INTO shift VALUES (1)")).neverDeadlocks();

        assertThatThrownBy(race::check).hasMessageContaining("in none of 1 schedule does any session commit");
    }

    @Test
    void aBoundEndsInconclusive() {
        Interleavings bounded = new Interleavings(new Interleavings.Settings(
                new Bounds(3, Duration.ofMinutes(1)), Search.Mode.EXHAUSTIVE, Set.of(), Optional.empty()));
        Doctors doctors = new Doctors(bounded.over(database.dataSource()).dataSource());
        bounded.session("Ana leaves", () -> doctors.leaveLocked("Ana"))
                .session("Ben leaves", () -> doctors.leaveLocked("Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(Doctors.NOBODY);

        assertThatThrownBy(bounded::check)
                .isInstanceOf(InterleavingFailure.class)
                .hasMessageContaining(
                        "INCONCLUSIVE: no violation of the rule in 3 schedules, but that was not all of them: stopped after"
                                + " 3 schedules (maxSchedules).");
    }

    // ---------------------------------------------------------------- Java around the database

    @Test
    void aLockInJavaIsFollowed() {
        ReentrantLock lock = new ReentrantLock();
        race.session("Ana leaves", () -> locked(lock, "Ana")).session("Ben leaves", () -> locked(lock, "Ben"));

        Findings findings = explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(findings.schedules()).isGreaterThan(1);
    }

    @Test
    void aLatchThatAnotherSessionOpensIsFollowed() {
        AtomicReference<CountDownLatch> latch = new AtomicReference<>(new CountDownLatch(1));
        race.beforeEach(() -> latch.set(new CountDownLatch(1)))
                .session("Ana leaves", () -> {
                    doctors.leave("Ana");
                    latch.get().countDown();
                })
                .session("Ben leaves after her", () -> {
                    query("SELECT count(*) FROM shift");
                    latch.get().await();
                    doctors.leave("Ben");
                })
                .neverDeadlocks();

        Findings findings = explore();

        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
        assertThat(findings.schedules()).isGreaterThan(1);
    }

    @Test
    void aScheduleOfCodeThatWaitsInJavaIsReplayedExactly() {
        Object monitor = new Object();
        ReplayToken token = earlyRace(new Interleavings(), monitor)
                .explore()
                .example()
                .orElseThrow()
                .token();

        Findings again = earlyRace(new Interleavings(replaying(token)), monitor).explore();

        assertThat(token.toString()).startsWith("2:");
        assertThat(again.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(again.example().orElseThrow().token()).isEqualTo(token);
    }

    private Interleavings earlyRace(Interleavings early, Object monitor) {
        DataSource gated = early.over(database.dataSource()).dataSource();
        return early.session("Ana leaves", () -> early(gated, monitor, "Ana"))
                .session("Ben leaves", () -> early(gated, monitor, "Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(Doctors.NOBODY);
    }

    private void locked(ReentrantLock lock, String doctor) throws SQLException {
        lock.lock();
        try {
            doctors.leave(doctor);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void aMonitorThatIsReleasedTooEarlyProtectsNothing() {
        Object monitor = new Object();

        assertThat(earlyRace(new Interleavings(), monitor).explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }

    /** Holds the monitor while it counts, and not while it writes. */
    private static void early(DataSource gated, Object monitor, String doctor) throws SQLException {
        try (Connection connection = gated.getConnection()) {
            connection.setAutoCommit(false);
            synchronized (monitor) {
                try (Statement sql = connection.createStatement();
                        ResultSet row = sql.executeQuery(
                                "SELECT count(*) FROM on_call WHERE active AND doctor <> '" + doctor + "'")) {
                    row.next();
                    if (row.getInt(1) == 0) {
                        throw new LastDoctorException(doctor);
                    }
                }
            }
            try (Statement sql = connection.createStatement()) {
                sql.executeUpdate("UPDATE on_call SET active = false WHERE doctor = '" + doctor + "'");
            }
            connection.commit();
        }
    }

    @Test
    void aDeadlockThroughJavaIsReportedAndDoesNotHang() {
        ReentrantLock lock = new ReentrantLock();
        race.session("row, then lock", () -> {
                    try (Connection connection = race.dataSource().getConnection();
                            Statement sql = connection.createStatement()) {
                        connection.setAutoCommit(false);
                        sql.executeUpdate("UPDATE shift SET version = 1");
                        lock.lock();
                        try {
                            connection.commit();
                        } finally {
                            lock.unlock();
                        }
                    }
                })
                .session("lock, then row", () -> {
                    lock.lock();
                    try {
                        transaction("UPDATE shift SET version = 2").run();
                    } finally {
                        lock.unlock();
                    }
                })
                .neverDeadlocks();

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.text())
                .contains("waits outside of PostgreSQL: for", "ReentrantLock, which session B holds")
                .contains("waits for ever");
    }

    @Test
    void aLatchThatNobodyOpensIsReportedAndDoesNotHang() {
        CountDownLatch latch = new CountDownLatch(1);
        race.session("waits", () -> {
                    query("SELECT 1");
                    latch.await();
                })
                .neverDeadlocks();

        Findings findings = race.explore();

        assertThat(findings.text())
                .contains("waits outside of PostgreSQL: for CountDownLatch")
                .contains("waits for ever");
    }

    /** As caches and mappers do, which ask for metadata when they are first used. */
    @Test
    void whatCodeAsksOnceOnlyIsNoPartOfTheRace() {
        AtomicBoolean known = new AtomicBoolean();
        race.session("Ana leaves", () -> doctors.leaveLocked("Ana")).session("asks", () -> {
            if (!known.getAndSet(true)) {
                query("SELECT 1 FROM shift");
            }
            doctors.leaveLocked("Ben");
        });

        assertThat(explore().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void codeThatDoesOtherThingsEachTimeIsNamed() {
        AtomicInteger calls = new AtomicInteger();
        race.session("Ana leaves", () -> doctors.leave("Ana"))
                .session("changes", () -> query("SELECT " + calls.incrementAndGet() + " FROM on_call"))
                .holds(Doctors.NOBODY);

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(findings.summary())
                .contains("not deterministic: diverged at step")
                .contains("session B does \"SELECT");
    }

    @Test
    void stateInJavaIsPutBackByTheUser() {
        AtomicInteger calls = new AtomicInteger();
        race.session("Ana leaves", () -> doctors.leaveLocked("Ana"))
                .session("changes", () -> query("SELECT " + calls.incrementAndGet() + " FROM on_call"))
                .beforeEach(() -> calls.set(0));

        assertThat(explore().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void aThreadThatNobodyKnowsOfIsRefused() {
        race.session("starts another", () -> {
                    Thread other = new Thread(
                            () -> {
                                try {
                                    query("SELECT 1");
                                } catch (SQLException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            "other");
                    query("SELECT 2");
                    other.start();
                    other.join();
                    query("SELECT 3");
                })
                .neverDeadlocks();

        assertThatThrownBy(race::explore)
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining("the thread \"other\", which is no session's, ran \"SELECT 1\"");
    }

    @Test
    void codeThatUsesAnotherDataSourceIsRefused() {
        Doctors others = new Doctors(database.dataSource());
        race.session("past the gates", () -> others.leave("Ana")).holds(Doctors.NOBODY);

        assertThatThrownBy(race::explore)
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining("session A (past the gates) never took a step");
    }

    // ---------------------------------------------------------------- the start state

    @Test
    void nothingIsLeftBehind() throws SQLException {
        race.session("Ana leaves", () -> doctors.leave("Ana")).session("Ben leaves", () -> doctors.leave("Ben"));
        explore();

        assertThat(rows("SELECT doctor FROM on_call WHERE active")).containsExactly("Ana", "Ben");
        assertThat(rows("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'cerrojo%'"))
                .isEmpty();
        assertThat(rows("SELECT evtname FROM pg_event_trigger")).isEmpty();
    }

    private List<String> rows(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    @Test
    void ddlInASessionIsRefused() {
        race.session("makes a table", transaction("CREATE TABLE other (id int)"))
                .neverDeadlocks();

        assertThatThrownBy(race::explore).hasMessageContaining("did DDL");
    }

    @Test
    void theUsersOwnResetChangesNothingElse() throws SQLException {
        race.session("Ana leaves", () -> doctors.leave("Ana"))
                .session("Ben leaves", () -> doctors.leave("Ben"))
                .reset(() -> {
                    execute("UPDATE on_call SET active = true");
                    assertThat(rows("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'cerrojo%'"))
                            .isEmpty();
                })
                .mayRefuse(LastDoctorException.class)
                .holds("one leaves", "SELECT FROM on_call WHERE active HAVING count(*) < 2");

        assertThat(race.explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void twoRacesInOneDatabaseAreRefused() {
        race.session("another race", () -> {
                    Interleavings inner = new Interleavings();
                    inner.over(database.dataSource())
                            .session("inner", () -> {})
                            .neverDeadlocks()
                            .explore();
                })
                .neverDeadlocks();

        assertThat(race.explore().text()).contains("another exploration runs in the database");
    }

    @Test
    void anInvariantIsAQuestion() {
        race.session("Ana leaves", () -> doctors.leave("Ana"))
                .session("Ben leaves", () -> doctors.leave("Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(new Invariant(
                        "coverage",
                        "somebody is on call",
                        Scope.table("shift", "id"),
                        Optional.empty(),
                        new Rule.AtLeast(1, new Rule.Rows("on_call", Optional.of("shift_id"), Optional.of("active")))));

        assertThatThrownBy(race::check).hasMessageContaining("coverage is violated (somebody is on call)");
    }

    // ---------------------------------------------------------------- serial orders

    @Test
    void whatNoSerialOrderEndsWithIsFoundWithoutARule() {
        race.session("Ana leaves", () -> doctors.leave("Ana"))
                .session("Ben leaves", () -> doctors.leave("Ben"))
                .mayRefuse(LastDoctorException.class)
                .isSerializable();

        Findings findings = race.explore();

        assertThat(findings.summary()).startsWith("VIOLATED: 4 of 6 schedules end with isSerializable violated");
        assertThat(findings.text()).contains("in no serial order do all of these sessions commit");
    }

    @Test
    void whatSomeSerialOrderEndsWithHolds() {
        race.session("Ana leaves", () -> doctors.leaveLocked("Ana"))
                .session("Ben leaves", () -> doctors.leaveLocked("Ben"))
                .mayRefuse(LastDoctorException.class)
                .isSerializable()
                .check();
    }

    @Test
    void whatASessionReadCountsToo() {
        race.session("reads twice", () -> {
                    try (Connection connection = race.dataSource().getConnection()) {
                        connection.setAutoCommit(false);
                        for (int i = 0; i < 2; i++) {
                            try (Statement sql = connection.createStatement();
                                    ResultSet row = sql.executeQuery("SELECT count(*) FROM on_call WHERE active")) {
                                row.next();
                            }
                        }
                        connection.commit();
                    }
                })
                .session("Ana leaves", () -> doctors.leave("Ana"))
                .isSerializable();

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.text()).contains("reads twice, result 2: SELECT count(*)");
    }

    @Test
    void keysAndTimesThatTheCodeMakesAreNoDifference() throws SQLException {
        execute("CREATE TABLE leave (id uuid PRIMARY KEY, at timestamptz NOT NULL, doctor text NOT NULL)");
        SessionBody insert = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    PreparedStatement sql = connection.prepareStatement("INSERT INTO leave VALUES (?, ?, 'Ana')")) {
                sql.setObject(1, UUID.randomUUID());
                sql.setObject(2, OffsetDateTime.now());
                sql.executeUpdate();
            }
        };
        race.session("one", insert).session("another", insert).isSerializable().check();
    }

    @Test
    void whatDiffersInEachRunIsNamed() throws SQLException {
        execute("CREATE TABLE leave (note text)");
        SessionBody insert = () -> {
            try (Connection connection = race.dataSource().getConnection();
                    PreparedStatement sql = connection.prepareStatement("INSERT INTO leave VALUES (?)")) {
                sql.setString(1, "at " + System.nanoTime());
                sql.executeUpdate();
            }
        };
        race.session("one", insert).isSerializable();

        assertThatThrownBy(race::check)
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining("two runs of one serial order differ in table leave");
    }
}
