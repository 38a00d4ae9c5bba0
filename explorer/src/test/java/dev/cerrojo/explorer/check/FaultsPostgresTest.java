package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Corpus;
import dev.cerrojo.explorer.scenario.Faults;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Search.Mode;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.explorer.search.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that crash, or never learn that their COMMIT was done. */
class FaultsPostgresTest {
    private static final String TWO_WRITES = """
            setup: CREATE TABLE t (n int)
            transactions:
              write: {steps: [{write: INSERT INTO t VALUES (1)}, {write: INSERT INTO t VALUES (2)}]}
            run: [write()]
            """;

    private static final String ONE_ROW = """
            setup: |
              CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
              INSERT INTO t VALUES (1, 0);
            transactions:
              add: {steps: [{write: UPDATE t SET n = n + 1 WHERE id = 1}]}
            run: [add(), add()]
            """;

    private static Checker checker(Mode mode) {
        return new Checker(TestServer.shared(), new Bounds(100_000, Duration.ofMinutes(2)), mode, Progress.SILENT);
    }

    private static Scenario scenario(String yaml) {
        return ScenarioReader.read("x", yaml);
    }

    private static CheckResult check(String yaml) throws SQLException {
        return checker(Mode.EXHAUSTIVE).withSerialOrders().check(scenario(yaml), Goal.EVERY_SCHEDULE);
    }

    private static Execution replay(String yaml, String word) throws SQLException {
        return checker(Mode.REDUCED)
                .replay(scenario(yaml), ReplayToken.parse(word))
                .execution();
    }

    /** All schedules, as words. */
    private static List<String> words(String yaml) throws SQLException {
        Scenario scenario = scenario(yaml);
        List<String> words = new ArrayList<>();
        try (Arena arena = Arena.open(TestServer.shared(), scenario)) {
            Subject subject = arena.subject(scenario, scenario.runs().get(0));
            Subject listing = new Subject() {
                @Override
                public Execution execute(dev.cerrojo.explorer.schedule.Chooser chooser) {
                    Execution execution = subject.execute(chooser);
                    words.add(execution.trace().schedule().toString());
                    return execution;
                }

                @Override
                public int sessions() {
                    return subject.sessions();
                }
            };
            // no goal that has the serial orders run first
            new Search(listing, Bounds.none(), Goal.FIRST_VIOLATION, Mode.EXHAUSTIVE, Progress.SILENT).run();
        }
        return words;
    }

    /** What the examples show needs the fault: without it they hold. */
    @ParameterizedTest
    @ValueSource(strings = {"job-stuck-pending.yaml", "charge-lost-answer.yaml"})
    void anExampleIsViolatedOnlyByItsFault(String file) throws SQLException {
        Scenario scenario =
                ScenarioReader.read(Corpus.root().resolve("examples").resolve(file));

        CheckResult with = checker(Mode.REDUCED).check(scenario, Goal.EVERY_SCHEDULE);
        CheckResult without = checker(Mode.REDUCED).check(scenario.withFaults(Faults.NONE), Goal.EVERY_SCHEDULE);

        assertThat(with.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(with.shortestWitness()
                        .orElseThrow()
                        .witness()
                        .orElseThrow()
                        .token()
                        .schedule()
                        .hasFaults())
                .isTrue();
        assertThat(with.runs().get(0).exploration().serialViolation()).isFalse();
        assertThat(without.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void aCrashIsPlacedAtEveryStep() throws SQLException {
        assertThat(words(TWO_WRITES + "faults: {crash: 1}\ninvariant: SELECT 1 WHERE false\n"))
                .containsExactlyInAnyOrder("AAA", "A!", "AA!", "AAA!");
    }

    @Test
    void anAnswerIsLostAtEveryCommit() throws SQLException {
        String yaml = TWO_WRITES.replace("{steps:", "{atomic: false, steps:");

        assertThat(words(yaml + "faults: {lost_answer: 1}\ninvariant: SELECT 1 WHERE false\n"))
                .containsExactlyInAnyOrder("AAAA", "AA?", "AAAA?");
    }

    @Test
    void noMoreFaultsThanAllowedHappen() throws SQLException {
        List<String> words =
                words(TWO_WRITES + "faults: {crash: 2, client_retries: true}\ninvariant: SELECT 1 WHERE false\n");

        // the first crash comes at one of three steps, the second at one of three of the next attempt, or never
        assertThat(words).hasSize(1 + 3 * (1 + 3)).doesNotHaveDuplicates().contains("AA!AAA!AAA", "A!A!AAA");
    }

    /** The open transaction is undone, and its locks are free, before the crash's turn ends. */
    @Test
    void aCrashUndoesTheTransactionAndLetsOthersGoOn() throws SQLException {
        Execution execution =
                replay(ONE_ROW + "faults: {crash: 1}\ninvariant: SELECT n FROM t WHERE n <> 1\n", "ABA!B");

        assertThat(execution.trace().waited()).isTrue();
        assertThat(execution.trace().schedule()).hasToString("ABA!B");
        assertThat(execution.trace().outcomes()).containsExactly(new Outcome.Crashed(), new Outcome.Committed());
        assertThat(execution.violations()).isEmpty();
    }

    /** Its session locks are free too. */
    @Test
    void aCrashFreesWhatOutlivesTransactions() throws SQLException {
        Execution execution = replay("""
                setup: CREATE TABLE t (n int)
                transactions:
                  take:
                    steps:
                      - read: SELECT pg_advisory_lock(7)
                      - commit: true
                      - write: INSERT INTO t VALUES (1)
                      - read: SELECT pg_advisory_unlock(7)
                run: [take(), take()]
                faults: {crash: 1}
                invariant: SELECT 1 FROM t HAVING count(*) <> 1
                """, "AABA!");

        assertThat(execution.trace().waited()).isTrue();
        assertThat(execution.trace().outcomes()).containsExactly(new Outcome.Crashed(), new Outcome.Committed());
        assertThat(execution.violations()).isEmpty();
    }

    @Test
    void aLostAnswerLeavesWhatWasCommitted() throws SQLException {
        Execution execution = replay(
                TWO_WRITES + "faults: {lost_answer: 1}\ninvariant: SELECT 1 FROM t HAVING count(*) <> 2\n", "AAA?");

        assertThat(execution.trace().outcomes()).containsExactly(new Outcome.Unknown());
        assertThat(execution.violations()).isEmpty();
        assertThat(execution.trace().events().stream()
                        .filter(TraceEvent.Finished.class::isInstance)
                        .map(TraceEvent.Finished.class::cast)
                        .reduce((one, last) -> last)
                        .orElseThrow()
                        .result()
                        .error()
                        .orElseThrow()
                        .sqlState())
                .isEqualTo("08006");
    }

    @Test
    void aClientThatRetriesRunsItsSessionAgain() throws SQLException {
        String yaml = TWO_WRITES + "invariant: SELECT 1 FROM t HAVING count(*) <> 4\n";

        Execution lost = replay(yaml + "faults: {lost_answer: 1, client_retries: true}\n", "AAA?AAA");
        Execution crashed = replay(yaml + "faults: {crash: 1, client_retries: true}\n", "AAA!AAA");

        assertThat(lost.trace().outcomes()).containsExactly(new Outcome.Committed());
        assertThat(lost.violations()).as("two rows twice").isEmpty();
        assertThat(crashed.trace().outcomes()).containsExactly(new Outcome.Committed());
        assertThat(crashed.violations()).as("two rows once").isNotEmpty();
    }

    @Test
    void aClientCanCrashBeforeItsRollback() throws SQLException {
        Execution execution = replay("""
                setup: CREATE TABLE t (n int)
                transactions:
                  refused:
                    steps:
                      - write: INSERT INTO t VALUES (1)
                      - check: SELECT :rowcount = 0
                run: [refused()]
                faults: {crash: 1}
                invariant: SELECT n FROM t
                """, "AA!");

        assertThat(execution.trace().outcomes()).containsExactly(new Outcome.Crashed());
        assertThat(execution.violations()).isEmpty();
    }

    /** A foreign effect is a connection of its own: only that breaks, and what was begun is rolled back. */
    @Test
    void theAnswerOfAForeignEffectCanBeLost() throws SQLException {
        String yaml = """
                setup: CREATE TABLE t (who text)
                transactions:
                  pay:
                    steps:
                      - write: INSERT INTO t VALUES ('we')
                      - write: INSERT INTO t VALUES ('provider')
                        autonomous: true
                run: [pay()]
                faults: {lost_answer: 1}
                invariant: SELECT who FROM t WHERE who = 'we'
                """;

        Execution execution = replay(yaml, "AAA?A");

        assertThat(execution.trace().outcomes()).containsExactly(new Outcome.Unknown());
        assertThat(execution.violations()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void whatAFaultLeavesIsComparedWithSerialOrdersOfWhatWasCommitted(Mode mode) throws SQLException {
        Scenario scenario = scenario(ONE_ROW + "faults: {crash: 1, lost_answer: 1, client_retries: true}\n");

        CheckResult result = checker(mode).check(scenario, Goal.FIRST_VIOLATION);

        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(result.serial().judged()).isEqualTo(result.schedules());
    }

    /** The control: a fault hides no anomaly. */
    @Test
    void anomaliesAreFoundBesideFaults() throws SQLException {
        CheckResult result = check("""
                setup: |
                  CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
                  INSERT INTO t VALUES (1, 0);
                transactions:
                  add:
                    steps:
                      - read: SELECT n FROM t WHERE id = 1
                      - write: UPDATE t SET n = :n + 1 WHERE id = 1
                run: [add(), add()]
                faults: {crash: 1}
                """);

        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.violating()).isLessThan(result.schedules());
    }

    @ParameterizedTest
    @ValueSource(strings = {"A?", "AAA!", "A!"})
    void aFaultThatCannotBeIsNoSchedule(String word) {
        String yaml = TWO_WRITES + "faults: {lost_answer: 1}\ninvariant: SELECT 1 WHERE false\n";

        assertThatExceptionOfType(Diverged.class)
                .isThrownBy(() -> replay(yaml, word))
                .withMessageContaining("no such fault can befall A here");
    }
}
