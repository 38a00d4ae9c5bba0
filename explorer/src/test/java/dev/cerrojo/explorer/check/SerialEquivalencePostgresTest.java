package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioException;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search.Mode;
import dev.cerrojo.explorer.search.SerialTally;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.serial.Difference;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The schedules of scenarios, compared with the serial orders of what their sessions committed. */
class SerialEquivalencePostgresTest {
    private static final String MARBLES = """
            setup: |
              CREATE TABLE marble (id int PRIMARY KEY, colour text NOT NULL);
              INSERT INTO marble VALUES (5, 'black'), (7, 'white'), (11, 'green');
            transactions:
              blacken: {steps: [{write: UPDATE marble SET colour = 'black' WHERE colour = 'white'}]}
              whiten: {steps: [{write: UPDATE marble SET colour = 'white' WHERE colour = 'black'}]}
            run: [blacken(), whiten()]
            """;

    private static final String BALANCE = """
            setup: |
              CREATE TABLE account (name text PRIMARY KEY, balance int NOT NULL);
              INSERT INTO account VALUES ('checking', 100), ('savings', 100);
            transactions:
              withdraw:
                params: [name]
                steps:
                  - write: UPDATE account SET balance = balance - 50 WHERE name = :name
                  - read: SELECT sum(balance) AS total FROM account
            run: [withdraw(name='checking'), withdraw(name='savings')]
            """;

    private static CheckResult check(Scenario scenario, Mode mode) throws SQLException {
        Bounds bounds = new Bounds(100_000, Duration.ofMinutes(2));
        return new Checker(TestServer.shared(), bounds, mode, Progress.SILENT)
                .withSerialOrders()
                .check(scenario, Goal.EVERY_SCHEDULE);
    }

    private static CheckResult check(String yaml) throws SQLException {
        return check(ScenarioReader.read("x", yaml), Mode.EXHAUSTIVE);
    }

    private static Scenario at(Isolation level, Scenario scenario) {
        Map<String, TransactionSpec> transactions = new LinkedHashMap<>();
        scenario.transactions().forEach((name, spec) -> transactions.put(name, spec.withIsolation(level)));
        return scenario.withTransactions(transactions);
    }

    /** The counts that are known of the same specifications of the isolation tester. */
    @ParameterizedTest
    @CsvSource({
        "marbles, READ_COMMITTED,  6,  4",
        "marbles, REPEATABLE_READ, 6,  4",
        "balance, READ_COMMITTED,  20, 12",
        "balance, REPEATABLE_READ, 20, 18"
    })
    void withoutInvariantsTheVerdictIsBySerialOrders(String name, Isolation level, long schedules, long anomalous)
            throws SQLException {
        Scenario scenario = ScenarioReader.read("x", name.equals("marbles") ? MARBLES : BALANCE);

        CheckResult result = check(at(level, scenario), Mode.EXHAUSTIVE);

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.schedules()).isEqualTo(schedules);
        assertThat(result.violating()).isEqualTo(anomalous);
        assertThat(result.serial().anomalous()).isEqualTo(anomalous);
        assertThat(result.shortestWitness()).isPresent();
        assertThat(Judgement.of(Expectation.VIOLATED, result)).isEqualTo(Judgement.MET);
    }

    @ParameterizedTest
    @CsvSource({"marbles, 6, 4", "balance, 20, 18"})
    void abortsAtSerializableAreNeeded(String name, long schedules, long aborts) throws SQLException {
        Scenario scenario = ScenarioReader.read("x", name.equals("marbles") ? MARBLES : BALANCE);

        CheckResult result = check(at(Isolation.SERIALIZABLE, scenario), Mode.EXHAUSTIVE);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.schedules()).isEqualTo(schedules);
        assertThat(result.serial().aborts()).isEqualTo(new Aborts(aborts, aborts, 0, 0));
    }

    /** Each reads the whole table to find its row, so to PostgreSQL it has read the other's too. */
    @Test
    void abortsOfSessionsThatDoNotMeetAreNotNeeded() throws SQLException {
        CheckResult result = check("""
                isolation: serializable
                setup: |
                  CREATE TABLE t (a int NOT NULL, n int NOT NULL);
                  INSERT INTO t VALUES (1, 0), (2, 0);
                transactions:
                  grow:
                    params: [a]
                    steps:
                      - read: SELECT n FROM t WHERE a = :a
                      - write: UPDATE t SET n = :n + 1 WHERE a = :a
                run: [grow(a=1), grow(a=2)]
                """);

        Aborts aborts = result.serial().aborts();
        assertThat(aborts.unneeded()).isPositive().isEqualTo(aborts.schedules());
        assertThat(aborts.needed()).isZero();
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
    }

    /** Retried sessions end well; that they failed before is counted all the same. */
    @Test
    void abortsOfRetriedSessionsCount() throws SQLException {
        Scenario scenario = ScenarioReader.read("x", "retry: 3\n" + MARBLES);

        CheckResult result = check(at(Isolation.SERIALIZABLE, scenario), Mode.REDUCED);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.sqlStates()).isEmpty();
        assertThat(result.serial().aborts().needed()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void anInvariantThatHoldsAnywayStillHolds(Mode mode) throws SQLException {
        Scenario scenario =
                ScenarioReader.read("x", MARBLES + "invariant: SELECT 1 FROM marble HAVING count(*) <> 3\n");

        CheckResult result = check(scenario, mode);

        SerialTally serial = result.serial();
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.violating()).isZero();
        assertThat(serial.anomalous()).isPositive();
        assertThat(serial.judged()).isEqualTo(result.schedules());
        assertThat(serial.witness().orElseThrow().isViolation()).isFalse();
        assertThat(serial.witness()
                        .orElseThrow()
                        .serial()
                        .orElseThrow()
                        .judgement()
                        .differences())
                .extracting(Difference::place)
                .contains("table marble");
    }

    /** The control: nobody asks unless a check does. */
    @Test
    void whoDoesNotAskIsNotTold() throws SQLException {
        Scenario scenario = ScenarioReader.read("x", MARBLES + "invariant: SELECT 1 WHERE false\n");

        CheckResult result = new Checker(TestServer.shared(), Bounds.none(), Mode.REDUCED, Progress.SILENT)
                .check(scenario, Goal.EVERY_SCHEDULE);

        assertThat(result.serial()).isEqualTo(SerialTally.NONE);
    }

    /** What a session read counts too, also where it changes nothing. */
    @Test
    void aReportThatNoSerialOrderCouldPrintIsAnAnomaly() throws SQLException {
        CheckResult result = check("""
                setup: |
                  CREATE TABLE account (name text PRIMARY KEY, balance int NOT NULL);
                  INSERT INTO account VALUES ('A', 100), ('B', 0);
                transactions:
                  move:
                    steps:
                      - write: UPDATE account SET balance = balance - 50 WHERE name = 'A'
                      - write: UPDATE account SET balance = balance + 50 WHERE name = 'B'
                  report:
                    steps:
                      - read: SELECT balance AS a FROM account WHERE name = 'A'
                      - read: SELECT balance AS b FROM account WHERE name = 'B'
                run: [move(), report()]
                invariant: SELECT 1 FROM account HAVING sum(balance) <> 100
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        // the COMMIT of one comes between the two reads of the other: that fixes all but the order of the first steps
        assertThat(result.serial().anomalous()).isPositive().isLessThan(result.schedules());
        assertThat(result.serial()
                        .witness()
                        .orElseThrow()
                        .serial()
                        .orElseThrow()
                        .judgement()
                        .differences())
                .allSatisfy(difference -> assertThat(difference.place()).startsWith("B, step "));
    }

    /** Numbers of sequences, random keys and times are others in each run; two charges are still two. */
    @Test
    void keysAndTimesOfSessionsAreNoAnomaly() throws SQLException {
        CheckResult result = check("""
                setup: |
                  CREATE TABLE job (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key uuid, at timestamptz);
                  CREATE TABLE part (job int NOT NULL REFERENCES job, name text);
                transactions:
                  start:
                    params: [name]
                    steps:
                      - write: INSERT INTO job (key, at) VALUES (gen_random_uuid(), clock_timestamp()) RETURNING id, at
                      - write: INSERT INTO part VALUES (:id, :name)
                      - read: SELECT clock_timestamp() AS t
                run: [start(name='x'), start(name='y')]
                """);

        assertThat(result.serial().doubts()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void keysAndTimesHideNoAnomaly() throws SQLException {
        CheckResult result = check("""
                setup: CREATE TABLE charge (id uuid, at timestamptz, customer text NOT NULL);
                transactions:
                  charge:
                    params: [customer]
                    steps:
                      - read: SELECT count(*) AS before FROM charge WHERE customer = :customer
                      - check: SELECT :before = 0
                      - write: INSERT INTO charge VALUES (gen_random_uuid(), now(), :customer)
                run: [charge(customer='x'), charge(customer='x')]
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    /** What nothing makes comparable is left out, and said; then nothing is called serializable by it. */
    @Test
    void whatDiffersInTwoRunsOfOneOrderIsNotCompared() throws SQLException {
        CheckResult result = check("""
                setup: CREATE TABLE t (n int)
                transactions:
                  draw: {steps: [{write: INSERT INTO t VALUES ((random() * 1000000000)::int)}]}
                run: [draw(), draw()]
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(result.reasons())
                .singleElement()
                .asString()
                .startsWith("table t is not compared: two runs of one serial order differ there");
    }

    /** What was undone is as if it had not been; what was committed before it counts. */
    @Test
    void onlyWhatWasCommittedIsCompared() throws SQLException {
        CheckResult result = check("""
                setup: |
                  CREATE TABLE log (line text);
                  CREATE TABLE t (id int PRIMARY KEY);
                transactions:
                  enter:
                    params: [line]
                    steps:
                      - write: INSERT INTO log VALUES (:line)
                        autonomous: true
                      - write: INSERT INTO log VALUES ('begun ' || :line)
                      - commit: true
                      - write: INSERT INTO t VALUES (1)
                      - write: INSERT INTO log VALUES ('done ' || :line)
                run: [enter(line='a'), enter(line='b')]
                """);

        assertThat(result.sqlStates()).containsExactly("23505");
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.serial().doubts()).isEmpty();
    }

    @Test
    void sessionsThatChangeTheSchemaAreNotJudged() throws SQLException {
        CheckResult result = check("""
                transactions:
                  make: {steps: [{write: CREATE TABLE IF NOT EXISTS t (a int)}]}
                run: [make()]
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(result.reasons())
                .containsExactly("sessions changed the schema, so that what they left behind cannot be compared");
    }

    /** Two that add at once lose one; but whether the order that makes a table first ends so too, nobody knows. */
    @Test
    void schedulesThatASchemaChangeMayExplainAreNotJudged() throws SQLException {
        String add = """
                setup: |
                  CREATE TABLE t (n int NOT NULL);
                  INSERT INTO t VALUES (0);
                transactions:
                  add:
                    steps:
                      - read: SELECT n FROM t
                      - write: UPDATE t SET n = :n + 1
                  make_and_add:
                    steps:
                      - read: SELECT n FROM t
                      - write: "DO $$ BEGIN IF (SELECT n FROM t) = 0 THEN CREATE TABLE u (a int); END IF; END $$"
                      - write: UPDATE t SET n = :n + 1
                """;

        CheckResult with = check(add + "run: [add(), make_and_add()]\n");
        CheckResult without = check(add + "run: [add(), add()]\n");

        assertThat(with.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(with.violating()).isZero();
        assertThat(without.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    /** The session waits for a lock of its own for ever, also when it is alone. */
    @Test
    void aSessionThatWaitsForItselfEnds() throws SQLException {
        CheckResult result = check("""
                setup: CREATE TABLE t (id int PRIMARY KEY)
                transactions:
                  twice:
                    steps:
                      - write: INSERT INTO t VALUES (1)
                      - write: INSERT INTO t VALUES (1)
                        autonomous: true
                run: [twice()]
                """);

        assertThat(result.deadlocking()).isEqualTo(1);
        assertThat(result.committing()).isZero();
    }

    @Test
    void aReplayTellsToo() throws SQLException {
        Scenario scenario = ScenarioReader.read("x", MARBLES + "invariant: SELECT 1 WHERE false\n");
        Checker checker = new Checker(TestServer.shared(), Bounds.none(), Mode.REDUCED, Progress.SILENT);

        assertThat(List.of(
                        checker.replay(scenario, ReplayToken.parse("ABAB"))
                                .execution()
                                .isAnomalous(),
                        checker.replay(scenario, ReplayToken.parse("AABB"))
                                .execution()
                                .isAnomalous()))
                .containsExactly(true, false);
    }

    /** Repairs are built from what must hold. */
    @Test
    void nothingIsRepairedWithoutAnInvariant() {
        assertThatExceptionOfType(ScenarioException.class)
                .isThrownBy(() -> Repairer.candidates(ScenarioReader.read("x", MARBLES)))
                .withMessageStartingWith("x: \"invariant\" is missing: repairs are built from what must hold.");
    }
}
