package dev.cerrojo.explorer.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.database.UserDatabase;
import dev.cerrojo.explorer.jdbc.Doctors.LastDoctorException;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Search.Mode;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** Clients of Java code that crash, or never learn that their COMMIT was done. */
class JavaFaultsPostgresTest {
    private static final String NEVER = "SELECT 1 WHERE false";

    private final TestDatabase database = TestDatabase.create();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void tables() throws SQLException {
        execute(database.dataSource(), """
                CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
                INSERT INTO t VALUES (1, 0);
                CREATE TABLE charge (key text, amount int NOT NULL);
                CREATE TABLE job (id int PRIMARY KEY, state text NOT NULL);
                INSERT INTO job VALUES (1, 'new')""");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Interleavings race(Mode mode) {
        return new Interleavings(settings(mode, Optional.empty()));
    }

    private static Interleavings replaying(String word) {
        return new Interleavings(settings(Mode.REDUCED, Optional.of(ReplayToken.parse(word))));
    }

    private static Interleavings.Settings settings(Mode mode, Optional<ReplayToken> replay) {
        return new Interleavings.Settings(Interleavings.Settings.standard().bounds(), mode, Set.of(), replay);
    }

    /** Code that runs on one connection, in one transaction. */
    private static SessionBody transaction(DataSource source, String... statements) {
        return () -> {
            try (Connection connection = source.getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (String statement : statements) {
                    sql.execute(statement);
                }
                connection.commit();
            }
        };
    }

    private Interleavings one(Interleavings race, String... statements) {
        return race.session("one", transaction(race.over(database.dataSource()).dataSource(), statements));
    }

    private Interleavings two(Interleavings race, String... statements) {
        one(race, statements);
        return race.session("two", transaction(race.dataSource(), statements));
    }

    private static List<Outcome> outcomes(Findings findings) {
        return trace(findings).outcomes();
    }

    private static Trace trace(Findings findings) {
        return findings.example().orElseThrow().execution().trace();
    }

    // ---------------------------------------------------------------- what faults find

    /** A client that tries again when its connection broke. */
    private static void charge(DataSource source, String insert) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                transaction(source, insert).run();
                return;
            } catch (SQLException e) {
                if (attempt == 2 || !e.getSQLState().startsWith("08")) {
                    throw e;
                }
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    private Findings charged(String insert, int lostAnswers) {
        Interleavings race = new Interleavings();
        DataSource source = race.over(database.dataSource()).dataSource();
        if (lostAnswers > 0) {
            race.faults(0, lostAnswers);
        }
        return race.session("charges", () -> charge(source, insert))
                .holds("SELECT key FROM charge GROUP BY key HAVING count(*) > 1")
                .explore();
    }

    @Test
    void aChargeIsMadeTwiceWhenTheAnswerIsLost() throws SQLException {
        String insert = "INSERT INTO charge VALUES ('order 7', 10)";

        assertThat(charged(insert, 0).verdict()).isEqualTo(Verdict.HOLDS);

        Findings lost = charged(insert, 1);
        assertThat(lost.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(lost.example().orElseThrow().token().schedule()).hasToString("AA?AA");
        assertThat(lost.text()).contains("COMMIT, the answer is lost").contains("ERROR 08006");

        execute(database.dataSource(), "CREATE UNIQUE INDEX ON charge (key)");
        Findings repaired = charged(insert + " ON CONFLICT DO NOTHING", 1);
        assertThat(repaired.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(repaired.summary()).contains("of 1 sessions, with up to 1 lost answer (complete");
    }

    private static void work(DataSource source, boolean atOnce) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement sql = connection.createStatement()) {
            connection.setAutoCommit(false);
            try (ResultSet job = sql.executeQuery("SELECT id FROM job WHERE state = 'new' FOR UPDATE")) {
                if (!job.next()) {
                    return;
                }
            }
            sql.executeUpdate("UPDATE job SET state = 'pending' WHERE id = 1");
            if (!atOnce) {
                connection.commit();
            }
            sql.executeUpdate("UPDATE job SET state = 'done' WHERE id = 1");
            connection.commit();
        }
    }

    private Findings worked(boolean atOnce, boolean mayCrash) {
        Interleavings race = new Interleavings();
        DataSource source = race.over(database.dataSource()).dataSource();
        if (mayCrash) {
            race.faults(1, 0).clientRetries();
        }
        return race.session("works", () -> work(source, atOnce))
                .holds("SELECT id FROM job WHERE state <> 'done'")
                .explore();
    }

    @Test
    void aJobIsLeftPendingWhenItsWorkerCrashes() {
        assertThat(worked(false, false).verdict()).isEqualTo(Verdict.HOLDS);

        Findings crashed = worked(false, true);
        assertThat(crashed.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(crashed.text())
                .contains("the client crashes")
                .contains("the client runs it again from its beginning");

        assertThat(worked(true, true).verdict()).isEqualTo(Verdict.HOLDS);
    }

    // ---------------------------------------------------------------- where faults come

    /** AAA, A!, AA! and AAA!; AAAA, AA? and AAAA?; with two crashes, the second in the next attempt. */
    @Test
    void faultsArePlacedAtEveryStep() {
        String[] writes = {"INSERT INTO t VALUES (2, 0)", "INSERT INTO t VALUES (3, 0)"};

        assertThat(schedules(one(race(Mode.EXHAUSTIVE), writes).faults(1, 0))).isEqualTo(4);
        assertThat(schedules(one(race(Mode.EXHAUSTIVE), writes).faults(2, 0).clientRetries()))
                .isEqualTo(1 + 3 * (1 + 3));
        assertThat(schedules(alone(race(Mode.EXHAUSTIVE), writes).faults(0, 1))).isEqualTo(3);
        assertThat(schedules(alone(race(Mode.EXHAUSTIVE), writes).faults(1, 0))).isEqualTo(5);
    }

    private static long schedules(Interleavings race) {
        Findings findings = race.holds(NEVER).explore();
        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
        return findings.schedules();
    }

    /** With autocommit. */
    private Interleavings alone(Interleavings race, String... statements) {
        DataSource source = race.over(database.dataSource()).dataSource();
        return race.session("alone", () -> {
            for (String statement : statements) {
                execute(source, statement);
            }
        });
    }

    @Test
    void aCrashUndoesTheTransactionAndLetsOthersGoOn() {
        Findings findings = two(replaying("ABA!B"), "UPDATE t SET n = n + 1 WHERE id = 1")
                .faults(1, 0)
                .holds("SELECT n FROM t WHERE n <> 1")
                .explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(trace(findings).waited()).isTrue();
        assertThat(outcomes(findings)).containsExactly(new Outcome.Crashed(), new Outcome.Committed());
    }

    /** What a crash leans on: the backend's locks are free when it is said to have ended. */
    @Test
    void aBackendThatIsEndedHasLetGoOfItsLocks() throws SQLException {
        try (UserDatabase asked = UserDatabase.over(database.dataSource().getConnection());
                Connection client = database.dataSource().getConnection();
                Statement sql = client.createStatement()) {
            client.setAutoCommit(false);
            sql.execute("UPDATE t SET n = 5 WHERE id = 1");

            asked.awaitEnd(client.unwrap(PGConnection.class).getBackendPID());

            assertThat(asked.rows("SELECT n FROM t WHERE id = 1 FOR UPDATE NOWAIT"))
                    .containsExactly(List.of("0"));
            assertThat(asked.rows("SELECT FROM pg_locks WHERE relation = 't'::regclass AND pid <> pg_backend_pid()"))
                    .isEmpty();
        }
    }

    // ---------------------------------------------------------------- what the code sees

    @Test
    void afterALostAnswerTheConnectionIsBrokenAndNewOnesWork() {
        Interleavings race = replaying("AA?AA");
        DataSource source = race.over(database.dataSource()).dataSource();
        race.session("goes on", () -> {
            try (Connection connection = source.getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setAutoCommit(false);
                sql.execute("UPDATE t SET n = 1 WHERE id = 1");
                note(connection::commit);
                note(() -> sql.execute("UPDATE t SET n = 2 WHERE id = 1"));
                note(connection::rollback);
                note(connection::createStatement);
                log.add(connection.isValid(1) + " " + connection.isClosed());
            }
            execute(source, "UPDATE t SET n = n + 10 WHERE id = 1");
        });

        Findings findings = race.beforeEach(log::clear)
                .faults(0, 1)
                .holds("SELECT n FROM t WHERE n <> 11")
                .explore();

        assertThat(log).containsExactly("08006", "08003", "08003", "08003", "false true");
        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(outcomes(findings)).containsExactly(new Outcome.Committed());
    }

    private void note(Work.Act act) {
        try {
            act.run();
            log.add("done");
        } catch (SQLException e) {
            log.add(e.getSQLState());
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void afterACrashNothingMoreOfTheCodeIsRun() {
        Interleavings race = replaying("AA!");
        DataSource source = race.over(database.dataSource()).dataSource();
        race.session("catches", () -> {
            try (Connection connection = source.getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setAutoCommit(false);
                sql.execute("UPDATE t SET n = 1 WHERE id = 1");
                note(connection::commit);
                log.add("after COMMIT");
            } catch (SQLException | RuntimeException e) {
                log.add("caught " + e);
            }
            log.add("after all");
        });

        Findings findings = race.beforeEach(log::clear)
                .faults(1, 0)
                .holds("SELECT n FROM t WHERE n <> 0")
                .explore();

        assertThat(log).isEmpty();
        assertThat(outcomes(findings)).containsExactly(new Outcome.Crashed());
        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
    }

    /** The control of the one before: who catches everything goes on in Java, but not in the database. */
    @Test
    void whoCatchesACrashDoesNotGetAtTheDatabase() {
        Interleavings race = replaying("A!");
        DataSource source = race.over(database.dataSource()).dataSource();
        race.session("catches all", () -> {
            for (int attempt = 0; attempt < 3; attempt++) {
                try {
                    execute(source, "UPDATE t SET n = n + 1 WHERE id = 1");
                } catch (Throwable e) {
                    log.add(e.getClass().getSimpleName());
                }
            }
        });

        Findings findings =
                race.faults(1, 0).holds("SELECT n FROM t WHERE n <> 0").explore();

        assertThat(log).containsExactly("Crash", "Crash", "Crash");
        assertThat(outcomes(findings)).containsExactly(new Outcome.Crashed());
    }

    @Test
    void aLostAnswerIsNoMistakeOfTheCode() {
        Findings findings = one(replaying("AA?"), "UPDATE t SET n = 1 WHERE id = 1")
                .faults(0, 1)
                .neverFails()
                .holds("SELECT n FROM t WHERE n <> 1")
                .explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(outcomes(findings)).containsExactly(new Outcome.Unknown());
    }

    /** A procedure commits inside of its CALL: that is one step, and its answer can be lost like that of a COMMIT. */
    @Test
    void theAnswerOfAStatementThatCommitsInsideCanBeLost() throws SQLException {
        execute(database.dataSource(), """
                CREATE PROCEDURE add() LANGUAGE plpgsql AS
                $$ BEGIN UPDATE t SET n = n + 1 WHERE id = 1; COMMIT; END $$""");
        String twice = "SELECT n FROM t WHERE n > 1";

        assertThat(alone(new Interleavings(), "CALL add()")
                        .holds(twice)
                        .explore()
                        .verdict())
                .isEqualTo(Verdict.HOLDS);

        Findings lost = alone(new Interleavings(), "CALL add()")
                .faults(0, 1)
                .clientRetries()
                .holds(twice)
                .explore();

        assertThat(lost.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(lost.example().orElseThrow().token().schedule()).hasToString("A?A");
    }

    @Test
    void aCommitWhoseAnswerCannotBeLostIsTold() {
        Findings findings = one(new Interleavings(), "UPDATE t SET n = 1 WHERE id = 1; COMMIT")
                .faults(0, 1)
                .holds(NEVER)
                .explore();

        assertThat(findings.summary())
                .contains("HOLDS")
                .contains("no answer is lost of several statements in one text, with a COMMIT among them");
    }

    /** A COMMIT that fails is not done, and its client does not learn that either. */
    @Test
    void theLostAnswerMayHaveBeenNo() throws SQLException {
        Doctors.setUp(database.dataSource(), 2);
        Interleavings race = replaying("ABABAB?");
        Doctors doctors = new Doctors(race.over(database.dataSource()).dataSource());

        Findings findings = race.session("Ana leaves", () -> doctors.leaveWithRetry("Ana", 9))
                .session("Ben leaves", () -> doctors.leaveWithRetry("Ben", 9))
                .faults(0, 1)
                .holds(Doctors.NOBODY)
                .holds("Ben stays", "SELECT FROM on_call WHERE doctor = 'Ben' AND NOT active")
                .explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(outcomes(findings)).containsExactly(new Outcome.Committed(), new Outcome.Unknown());
    }

    /** A retry of its client's finds it undone, and the session refused. */
    @Test
    void aClientRetriesAfterALostAnswer() throws SQLException {
        Doctors.setUp(database.dataSource(), 2);
        Interleavings race = replaying("ABABAB?BB");
        Doctors doctors = new Doctors(race.over(database.dataSource()).dataSource());

        Findings findings = race.session("Ana leaves", () -> doctors.leaveWithRetry("Ana", 9))
                .session("Ben leaves", () -> doctors.leaveWithRetry("Ben", 9))
                .faults(0, 1)
                .clientRetries()
                .mayRefuse(LastDoctorException.class)
                .holds(Doctors.NOBODY)
                .explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(outcomes(findings).get(1)).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void whatTheCodeLeavesOpenWhenTheConnectionBreaksIsAMistake() {
        Interleavings race = new Interleavings();
        DataSource source = race.over(database.dataSource()).dataSource();
        race.session("forgets", () -> {
            Connection connection = source.getConnection();
            connection.setAutoCommit(false);
            try (Statement sql = connection.createStatement()) {
                sql.execute("UPDATE t SET n = 1 WHERE id = 1");
            }
            connection.commit();
            connection.close();
        });

        Findings findings = race.faults(0, 1).holds(NEVER).explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.text()).contains("a connection that it did not close");
    }

    // ---------------------------------------------------------------- replay, and the search

    @Test
    void aScheduleWithAFaultIsReplayed() {
        ReplayToken token =
                twoWrites(new Interleavings()).explore().example().orElseThrow().token();

        Findings again = twoWrites(replaying(token.toString())).explore();

        assertThat(token.schedule().hasFaults()).isTrue();
        assertThat(again.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(again.example().orElseThrow().token()).isEqualTo(token);
        assertThatThrownBy(() -> twoWrites(replaying("A?")).explore())
                .isInstanceOf(NotExplorableException.class)
                .hasMessageContaining("no such fault can befall A here");
    }

    /** Half of it is committed. */
    private Interleavings twoWrites(Interleavings race) {
        return alone(race, "UPDATE t SET n = 1 WHERE id = 1", "UPDATE t SET n = 2 WHERE id = 1")
                .faults(1, 1)
                .holds("SELECT n FROM t WHERE n = 1");
    }

    /** Faults hide no race, and make none where there is none; whether searched whole or reduced. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void racesAreFoundBesideFaults(Mode mode) throws SQLException {
        Doctors.setUp(database.dataSource(), 2);

        assertThat(leave(mode, false).verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(leave(mode, true).verdict()).isEqualTo(Verdict.HOLDS);
    }

    private Findings leave(Mode mode, boolean locked) {
        Interleavings race = race(mode);
        Doctors doctors = new Doctors(race.over(database.dataSource()).dataSource());
        for (String doctor : List.of("Ana", "Ben")) {
            race.session(doctor, () -> {
                if (locked) {
                    doctors.leaveLocked(doctor);
                } else {
                    doctors.leave(doctor);
                }
            });
        }
        return race.faults(1, 0)
                .mayRefuse(LastDoctorException.class)
                .holds(Doctors.NOBODY)
                .explore();
    }

    // ---------------------------------------------------------------- what makes no sense

    @ParameterizedTest
    @CsvSource({"0, 0", "-1, 1", "6, 0", "0, 6"})
    void aNumberOfFaultsIsChecked(int crashes, int lostAnswers) {
        assertThatThrownBy(() -> new Interleavings().faults(crashes, lostAnswers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 to 5, and not both 0, but were " + crashes + ", " + lostAnswers);
    }

    @Test
    void retriesNeedFaultsAndSerialOrdersHaveNone() {
        assertThatThrownBy(() -> one(new Interleavings(), NEVER)
                        .clientRetries()
                        .holds(NEVER)
                        .explore())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("call faults(crashes, lostAnswers) too");
        assertThatThrownBy(() -> one(new Interleavings(), NEVER)
                        .faults(1, 0)
                        .isSerializable()
                        .explore())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("isSerializable() cannot be asked of a race with faults");
    }
}
