package dev.cerrojo.explorer.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search.Mode;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecCheckerPostgresTest {
    private static SpecResult check(String text) throws SQLException {
        return Specs.check(SpecReader.parse("x.spec", text), Mode.EXHAUSTIVE);
    }

    private static Set<Execution.Ending> endings(SpecResult result) {
        return result.programs().get(0).exploration().endings().keySet();
    }

    @ParameterizedTest
    @CsvSource({
        "write-skew.spec,    READ_COMMITTED,  6",
        "joint-balance.spec, REPEATABLE_READ, 20",
        "day-report.spec,    READ_COMMITTED,  20",
        "day-report.spec,    REPEATABLE_READ, 20",
        "deadlock.spec,      READ_COMMITTED,  400",
    })
    void reducedSearchFindsWhatAllOrdersFind(String file, Isolation level, long atMost) throws SQLException {
        Spec spec = Specs.read(file).withIsolation(level);

        SpecResult reduced = Specs.check(spec, Mode.REDUCED);

        assertThat(reduced.schedules()).isLessThanOrEqualTo(atMost);
        assertThat(endings(reduced)).isEqualTo(endings(Specs.check(spec, Mode.EXHAUSTIVE)));
    }

    @Test
    void numbersOfSequencesAreNoAnomaly() throws SQLException {
        SpecResult result = check("""
                setup {
                  CREATE TABLE item (id serial PRIMARY KEY, name text, at timestamptz DEFAULT clock_timestamp());
                  CREATE TABLE part (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, item int REFERENCES item);
                }
                session a
                setup { BEGIN; }
                step a1 { INSERT INTO item (name) VALUES ('a') RETURNING id; }
                step a2 { INSERT INTO part (item) SELECT id FROM item WHERE name = 'a'; }
                step a3 { COMMIT; }
                session b
                step b1 { INSERT INTO item (name) VALUES ('b'); }
                step b2 { SELECT * FROM item WHERE name = 'b'; }
                """);

        assertThat(result.schedules()).isEqualTo(10);
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void workThatIsUndoneIsAsIfItHadNotBeenDone() throws SQLException {
        SpecResult result = check("""
                setup { CREATE TABLE t (a int PRIMARY KEY); }
                session twice
                step t1 { BEGIN; INSERT INTO t VALUES (1); COMMIT; }
                step t2 { BEGIN; INSERT INTO t VALUES (2); }
                step t3 { INSERT INTO t VALUES (1); }
                step t4 { COMMIT; }
                session mended
                step m1 { BEGIN; INSERT INTO t VALUES (3); SAVEPOINT s; }
                step m2 { INSERT INTO t VALUES (3); }
                step m3 { ROLLBACK TO s; COMMIT; }
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.schedules()).isEqualTo(35);
        assertThat(endings(result))
                .extracting(Execution.Ending::outcomes)
                .containsExactly(List.of(new Outcome.Failed("23505", ""), new Outcome.Committed()));
    }

    @Test
    void aTeardownMayCommit() throws SQLException {
        SpecResult result = check("""
                setup { CREATE TABLE t (a int); INSERT INTO t VALUES (0); }
                session a
                setup { BEGIN; }
                step add { UPDATE t SET a = a + 1; }
                teardown { COMMIT; }
                session b
                setup { BEGIN; }
                step see { SELECT a FROM t; }
                step undo { ROLLBACK; }
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(endings(result))
                .extracting(ending -> ending.outcomes().toString())
                .containsExactly("[committed, refused (rolled back)]");
    }

    @Test
    void whoWaitsForEverIsNoHang() throws SQLException {
        SpecResult result = check("""
                setup { CREATE TABLE t (a int); INSERT INTO t VALUES (0); }
                session a
                setup { BEGIN; }
                step keep { UPDATE t SET a = 1; }
                session b
                step wait { UPDATE t SET a = 2; }
                step never { SELECT a FROM t; }
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(endings(result))
                .extracting(ending -> ending.outcomes().toString())
                .containsExactlyInAnyOrder(
                        "[refused (rolled back), waits for ever]", "[refused (rolled back), committed]");
    }

    /** The tester would hang in the orders that are not listed. */
    @Test
    @Timeout(120)
    void permutationsListedSinceStepsBlockAreExploredAutomatically() throws SQLException {
        Spec spec = SpecReader.parse("x.spec", """
                setup { CREATE TABLE t (a int); INSERT INTO t VALUES (0); }
                teardown { DROP TABLE t; }
                session a
                setup { BEGIN; }
                step a1 { SELECT a FROM t; }
                step a2 { UPDATE t SET a = a + 1; }
                step a3 { COMMIT; }
                session b
                setup { BEGIN; }
                step b1 { UPDATE t SET a = a * 2 + 1; }
                step b2 { SELECT a FROM t; }
                step b3 { COMMIT; }
                permutation a1 a2 b1(a3) a3 b2 b3
                permutation b1 b2 a1 a2(*) b3 a3
                permutation b1 a1 b2 b3 a2 a3
                """);

        SpecResult result = Specs.check(spec, Mode.EXHAUSTIVE);

        assertThat(result.complete()).isTrue();
        assertThat(result.programs()).hasSize(1);
        // of the 20 orders, those in which one session waits for the other's COMMIT are fewer than they are written
        assertThat(result.schedules()).isBetween(4L, 19L);
        assertThat(result.waiting()).isPositive();
        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.anomalous()).isLessThan(result.schedules());
        assertThat(Specs.check(spec, Mode.REDUCED).verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    @Timeout(120)
    void permutationsThatLeaveStepsOutAreProgramsOfTheirOwn() throws SQLException {
        SpecResult result = check("""
                setup { CREATE TABLE t (a int); }
                session a
                step a1 { INSERT INTO t VALUES (1); }
                step a2 { INSERT INTO t VALUES (2); }
                session b
                step b1 { SELECT count(*) FROM t; }
                permutation a1 a2 b1
                permutation b1 a1
                permutation a1 b1 a2
                """);

        assertThat(result.programs())
                .extracting(one -> one.exploration().schedules())
                .containsExactly(3L, 2L);
    }

    /** BEGIN and a mistake go to PostgreSQL in one text, of which it does nothing then: the transaction is begun nevertheless. */
    @Test
    void aMistakeFailsTheTransactionThatASetupBegan() throws SQLException {
        SpecResult result = check("""
                setup { CREATE TABLE t (a int); }
                session a
                setup { BEGIN; }
                step wrong { SELEC; }
                step add { INSERT INTO t VALUES (1); }
                step end { COMMIT; }
                session b
                step divide { SELECT 1 / (1 - count(*)) FROM t; }
                """);

        assertThat(result.schedules()).isEqualTo(4);
        assertThat(endings(result))
                .extracting(ending -> ending.outcomes().toString())
                .singleElement()
                .asString()
                .contains("42601")
                .endsWith(", committed]");
    }

    /** One session after the other is no serial order when both snapshots, or both COMMITs, come together. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM t | step end_%s { COMMIT; } | 6
            BEGIN                                                         | teardown { COMMIT; }    | 2
            """)
    void whatRunsFirstOrLastInAllSessionsCounts(String setup, String end, long schedules) throws SQLException {
        String session = """
                session %1$s
                setup { %2$s; }
                step add_%1$s { INSERT INTO t SELECT '%1$s' || count(*) FROM t; }
                %3$s
                """;

        SpecResult result = check("setup { CREATE TABLE t (who text); }\n"
                + session.formatted("a", setup, end.formatted("a"))
                + session.formatted("b", setup, end.formatted("b")));

        assertThat(result.schedules()).isEqualTo(schedules);
        assertThat(result.anomalous()).isEqualTo(schedules);
    }

    // ---------------------------------------------------------------- several databases

    private static final String COUNTERS = """
            setup { CREATE TABLE t (a int); INSERT INTO t VALUES (0); }
            session a
            step a1 { SELECT a FROM t; }
            step a2 { UPDATE t SET a = a * 2 + 1; }
            step a3 { SELECT a FROM t; }
            session b
            step b1 { SELECT a FROM t; }
            step b2 { UPDATE t SET a = a * 2 + 2; }
            step b3 { SELECT a FROM t; }
            session c
            step c1 { SELECT a FROM t; }
            step c2 { UPDATE t SET a = a * 2 + 3; }
            step c3 { SELECT a FROM t; }
            """;

    /** {@return what was found in up to three databases, and the threads that ran schedules} */
    private static SpecResult checkInThree(Spec spec, Mode mode, Set<String> threads) throws SQLException {
        Progress heard = (schedules, violating, waiting) ->
                threads.add(Thread.currentThread().getName());
        return new SpecChecker(TestServer.shared(), new Bounds(100_000, Duration.ofMinutes(5)), mode, heard)
                .withWorkers(3)
                .check(spec);
    }

    @Test
    @Timeout(240)
    void severalDatabasesFindTheSame() throws SQLException {
        Spec spec = SpecReader.parse("x.spec", COUNTERS);
        Set<String> threads = new HashSet<>();

        SpecResult together = checkInThree(spec, Mode.EXHAUSTIVE, threads);

        assertThat(threads).anyMatch(name -> name.startsWith("cerrojo-search-helper"));
        SpecResult alone = Specs.check(spec, Mode.EXHAUSTIVE);
        assertThat(together.schedules()).isEqualTo(1680).isEqualTo(alone.schedules());
        assertThat(together.anomalous()).isEqualTo(alone.anomalous());
        assertThat(together.programs().get(0).exploration().endings())
                .isEqualTo(alone.programs().get(0).exploration().endings());
        assertThat(endings(checkInThree(spec, Mode.REDUCED, threads))).isEqualTo(endings(alone));
    }

    /** Another database's setup would find the role there. */
    @Test
    @Timeout(240)
    void whatReachesBeyondItsDatabaseIsExploredInOne() throws SQLException {
        Spec spec = SpecReader.parse(
                "x.spec",
                COUNTERS.replace(
                        "session a\n",
                        "setup { CREATE ROLE cerrojo_spec_test; } teardown { DROP ROLE cerrojo_spec_test; } session a\n"));
        Set<String> threads = new HashSet<>();

        SpecResult result = checkInThree(spec, Mode.EXHAUSTIVE, threads);

        assertThat(threads).noneMatch(name -> name.startsWith("cerrojo-search-helper"));
        assertThat(result.schedules()).isEqualTo(1680);
    }

    // ---------------------------------------------------------------- teardowns

    @Test
    @Timeout(120)
    void aTeardownMayDropWhatOnlyAStepMakes() throws SQLException {
        SpecResult result = check("""
                setup { CREATE TABLE t (a int); INSERT INTO t VALUES (0); }
                teardown { DROP TABLE t; DROP TABLE made; }
                session a
                step make { CREATE TABLE made AS SELECT a FROM t; }
                session b
                step add { UPDATE t SET a = a + 1; }
                permutation add
                permutation make add
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.programs())
                .extracting(one -> one.exploration().schedules())
                .containsExactly(1L, 2L);
    }

    /** Rows alone change, so the teardown does not run around each schedule. */
    @Test
    void theTeardownDropsWhatIsOutsideTheDatabaseInTheEnd() throws SQLException {
        String text = """
                setup { CREATE TABLE t (a int); CREATE ROLE cerrojo_spec_test; }
                teardown { DROP TABLE t; DROP ROLE cerrojo_spec_test; }
                session a
                step add { INSERT INTO t VALUES (1); }
                session b
                step see { SELECT FROM t; }
                """;

        assertThat(check(text).schedules()).isEqualTo(2);
        assertThat(check(text).schedules()).isEqualTo(2);
    }

    @Test
    void abortsThatNoAnomalyNeedsAreCounted() throws SQLException {
        String spec = """
                setup { CREATE TABLE t (id int, a int); INSERT INTO t VALUES (1, 0), (2, 0); }
                session a
                setup { BEGIN ISOLATION LEVEL SERIALIZABLE; }
                step a1 { UPDATE t SET a = 1 WHERE id = 1; }
                step a2 { COMMIT; }
                session b
                setup { BEGIN ISOLATION LEVEL SERIALIZABLE; }
                step b1 { UPDATE t SET a = 1 WHERE id = %s; }
                step b2 { COMMIT; }
                """;
        // without an index each reads all rows: PostgreSQL cannot know that they have nothing to do with each other
        assertThat(check(spec.formatted("2")).aborts()).isEqualTo(new Aborts(4, 0, 4, 0));
        assertThat(check(spec.formatted("1")).aborts()).satisfies(same -> {
            assertThat(same.alike()).isPositive().isEqualTo(same.schedules());
            assertThat(same.unneeded()).isZero();
        });
    }

    @Test
    void whatNoTwoRunsReadAlikeIsNotCompared() throws SQLException {
        SpecResult result = check("""
                setup { CREATE TABLE t (a int); }
                session a
                step a1 { SELECT clock_timestamp(); }
                step a2 { SELECT count(*) FROM t; }
                session b
                step b1 { INSERT INTO t VALUES (1); }
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(result.anomalous()).isZero();
    }

    /** Whether a wait ends by itself is no order of steps. */
    @Test
    void whatATimeoutMayEndIsNotSaidToHold() throws SQLException {
        String text = """
                setup { CREATE TABLE t (a int); INSERT INTO t VALUES (0); }
                session a
                setup { BEGIN; SET LOCAL %s = '1h'; }
                step add { UPDATE t SET a = a + 1; }
                step end { COMMIT; }
                session b
                step more { UPDATE t SET a = a + 1; }
                """;

        assertThat(check(text.formatted("lock_timeout")).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(check(text.formatted("lock_timeout")).reasons())
                .singleElement()
                .asString()
                .startsWith("the sessions may set timeouts");
        assertThat(check(text.formatted("deadlock_timeout")).verdict()).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            setup { CREATE TABLE t (a int);~ INSERT INTO x VALUES (1); }~session a step b { }  | x.spec:2: setup: PostgreSQL refuses this statement: relation "x" does not exist
            session a~setup { SELEC; }~step b { }                                              | x.spec:2: setup of session "a": PostgreSQL refuses this statement: syntax error
            """)
    void mistakesInSetupsAreNamedWithTheirLine(String text, String message) {
        assertThatThrownBy(() -> check(text.replace('~', '\n')))
                .isInstanceOf(ScenarioSqlException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void setupsThatWaitForEachOtherEndWithAnError() {
        String text = """
                setup { CREATE TABLE t (a int); }
                session a
                setup { BEGIN; LOCK TABLE t; }
                step a1 { COMMIT; }
                session b
                setup { BEGIN; LOCK TABLE t; }
                step b1 { COMMIT; }
                """;

        assertThatThrownBy(() -> check(text))
                .isInstanceOf(ScenarioSqlException.class)
                .hasMessageStartingWith("x.spec:6: setup of session \"b\": PostgreSQL refuses this statement: cancel");
    }
}
