package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.scenario.Faults;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.SerialTally;
import dev.cerrojo.explorer.search.Violation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckTextTest {
    private static final Outcome COMMITTED = new Outcome.Committed();

    private static Found violated() {
        return new Found()
                .violated(18, Found.bothLeave().ending(Found.NOBODY_ON_CALL))
                .ending(1, false, COMMITTED, new Outcome.Refused("coverage-conflict"))
                .ending(18, true, COMMITTED, COMMITTED)
                .ending(1, false, new Outcome.Failed("40001", "could not serialize"), COMMITTED)
                .sqlState("40001");
    }

    @Test
    void showsTheVerdictTheCountsAndTheWitness() {
        assertThat(CheckText.of(violated().report(), new Look(Style.PLAIN, true, 90)))
                .isEqualTo("""
                        VIOLATED: 18 of 20 schedules end with on_call_coverage violated.
                          examples/on-call.yaml: The last two doctors of a shift leave at the same time

                          20 schedules explored: 18 violating, 0 deadlocking, 0 with a lock wait (0.4 s,
                          PostgreSQL 17.11)

                          A committed, B committed                        18  VIOLATED
                          A committed, B refused (coverage-conflict)       1
                          A failed (40001), B committed                    1

                          Sessions failed with SQLSTATE 40001 (serialization failure)

                        The shortest schedule that violates it:

                            A  leave(shift=1, doctor='A')             │ B  leave(shift=1, doctor='B')
                               read committed                         │    read committed
                          ────────────────────────────────────────────┼──────────────────────────────────────────
                          1 SELECT count(*) AS others FROM on_call    │
                              WHERE shift = :shift AND doctor <>      │
                              :doctor                                 │
                              with shift=1, doctor='A'                │
                            → others = 1                              │
                            check SELECT :others > 0  [others=1] is   │
                              true                                    │
                          2                                           │ SELECT count(*) AS others FROM on_call
                                                                      │   WHERE shift = :shift AND doctor <>
                                                                      │   :doctor
                                                                      │   with shift=1, doctor='B'
                                                                      │ → others = 1
                                                                      │ check SELECT :others > 0  [others=1] is
                                                                      │   true
                          3                                           │ DELETE FROM on_call WHERE shift = :shift
                                                                      │   AND doctor = :doctor
                                                                      │   with shift=1, doctor='B'
                                                                      │ → 1 row changed
                          4                                           │ COMMIT
                          5 DELETE FROM on_call WHERE shift = :shift  │
                              AND doctor = :doctor                    │
                              with shift=1, doctor='A'                │
                            → 1 row changed                           │
                          6 COMMIT                                    │
                          ────────────────────────────────────────────┼──────────────────────────────────────────
                            committed                                 │ committed

                          At the end on_call_coverage is violated (every shift keeps a doctor), by 1 row:
                            id  count
                            ──  ─────
                            1   0

                        Run it again:  ./cerrojo check --replay 1:ABBBAA examples/on-call.yaml

                        What this does not show:
                          • What happens inside one statement, or inside COMMIT, is one step here.
                          • Only these sessions and these rows took part; more of them can do more.
                          • It ran on PostgreSQL 17.11; other versions can differ.
                        """);
    }

    @Test
    void showsTheDeadlockWhenTheInvariantHolds() {
        Found found = new Found()
                .deadlocking(4, Found.deadlocks().ending())
                .ending(16, false, COMMITTED, COMMITTED)
                .ending(4, false, new Outcome.Failed("40P01", ""), COMMITTED);

        assertThat(CheckText.of(found.report(), Look.plain()))
                .startsWith("HOLDS: on_call_coverage holds at the end of all 20 schedules, but 4 deadlock.\n")
                .contains("""
                        The shortest schedule that deadlocks:

                            A  leave(shift=1, doctor='A')                  │ B  leave(shift=1, doctor='B')
                               read committed                              │    read committed
                          ─────────────────────────────────────────────────┼───────────────────────────────────────────────
                          1 UPDATE t SET n = 1 WHERE id = 1                │
                            → 1 row changed                                │
                          2                                                │ UPDATE t SET n = 2 WHERE id = 2
                                                                           │ → 1 row changed
                          3                                                │ UPDATE t SET n = 2 WHERE id = 1
                                                                           │ waits for A
                          4 UPDATE t SET n = 1 WHERE id = 2                │ goes on → 1 row changed
                            deadlock of A and B: A is the victim           │
                            ERROR 40P01: deadlock detected                 │
                          6                                                │ COMMIT
                          ─────────────────────────────────────────────────┼───────────────────────────────────────────────
                            failed with 40P01 (deadlock detected)          │ committed

                        Run it again:  ./cerrojo check --replay '1:ABBA(A)B-rh436' examples/on-call.yaml
                        """);
    }

    @Test
    void pointsAtADeadlockBesideAWitness() {
        Found found = violated().deadlocking(2, Found.deadlocks().ending());

        assertThat(CheckText.of(found.report(), Look.plain()))
                .contains("18 violating, 2 deadlocking, 2 with a lock wait")
                .contains("\nSee a deadlock: ./cerrojo check --replay '1:ABBA(A)B-rh436' examples/on-call.yaml\n");
    }

    @Test
    void saysThatAViolationIsNoRace() {
        Found found = new Found()
                .violated(20, Found.bothLeave().ending(Found.NOBODY_ON_CALL))
                .serial();

        assertThat(CheckText.of(found.report(), Look.plain()))
                .startsWith("VIOLATED: on_call_coverage does not hold already when the sessions run one after another:"
                        + " this is\nnot a race.\n");
    }

    @Test
    void doesNotCallHoldsWhatNeverCommits() {
        assertThat(CheckText.of(new Found().nothingCommits().report(), Look.plain()))
                .startsWith("HOLDS, BUT NOTHING COMMITS: in none of 20 schedules does any session commit");
    }

    @Test
    void saysWhyItIsInconclusive() {
        Found found = new Found().stopped("stopped after 20 schedules (--max-schedules)");

        assertThat(CheckText.of(found.report(), Look.plain()))
                .startsWith("INCONCLUSIVE: no violation of on_call_coverage in 20 schedules, but that was not all of"
                        + " them:\nstopped after 20 schedules (--max-schedules).\n");
    }

    @Test
    void saysThatSchedulesWereLeftOutBesideAWitness() {
        Found found = violated().stopped("stopped after 9 s (--timeout)");

        assertThat(CheckText.of(found.report(), Look.plain()))
                .startsWith("VIOLATED: 18 of 20 schedules end with on_call_coverage violated; not every schedule was"
                        + " run.\n")
                .contains("  Left out: stopped after 9 s (--timeout).\n");
    }

    @Test
    void saysThatOneScheduleStandsForMany() {
        assertThat(CheckText.of(new Found().reduced().report(), Look.plain()))
                .contains("  One schedule stands for all that differ only in the order of independent steps.\n");
        assertThat(CheckText.of(new Found().report(), Look.plain())).doesNotContain("stands for all");
    }

    @Test
    void hasTheSameTextInColour() {
        CheckReport report =
                violated().deadlocking(2, Found.deadlocks().ending()).report();

        String coloured = CheckText.of(report, new Look(Style.ANSI, true, 100));

        assertThat(coloured).contains("\u001b[1;31mVIOLATED\u001b[0m");
        assertThat(withoutColour(coloured)).isEqualTo(withoutTrailingBlanks(CheckText.of(report, Look.plain())));
    }

    private static String withoutColour(String text) {
        return withoutTrailingBlanks(text.replaceAll("\u001b\\[[0-9;]*m", ""));
    }

    private static String withoutTrailingBlanks(String text) {
        return text.replaceAll(" +\n", "\n");
    }

    @Test
    void isAsciiOnATerminalThatIsNotUnicode() {
        CheckReport report =
                violated().deadlocking(2, Found.deadlocks().ending()).report();

        assertThat(CheckText.of(report, new Look(Style.PLAIN, false, 100)))
                .isASCII()
                .contains("-> others = 1");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        CheckReport report = violated().report();

        for (int width = 64; width <= 160; width += 7) {
            int allowed = width;
            assertThat(CheckText.of(report, new Look(Style.PLAIN, true, width)).lines())
                    .filteredOn(line -> !line.startsWith("Run it again"))
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(allowed));
        }
    }

    @Test
    void sessionsStandBelowEachOtherWhereColumnsWouldBeTooNarrow() {
        assertThat(CheckText.of(violated().report(), new Look(Style.PLAIN, true, 45)))
                .contains("""
                          4 B  COMMIT
                          5 A  DELETE FROM on_call WHERE shift =
                               :shift AND doctor = :doctor
                        """.stripTrailing());
    }

    @Test
    void showsThreeSessionsRetriesAndDeferredChecks() {
        Scenario scenario = ScenarioReader.read("three.yaml", """
                retry: 2
                transactions:
                  one: {isolation: serializable, steps: [{write: "UPDATE t SET n = 1"}]}
                  two: {atomic: false, steps: [{write: "UPDATE t SET n = 2"}]}
                run: [one(), two(), one(); two()]
                invariant: SELECT 1
                """);
        TraceBuilder trace = new TraceBuilder()
                .turn('A', "UPDATE t SET n = 1", "")
                .changes('A', 2)
                .deferredChecks('A')
                .commits('A')
                .turn('B', "UPDATE t SET n = 2 RETURNING n", "")
                .returns('B', 3, "n", "2")
                .commits('B')
                .turn('C', "UPDATE t SET n = 1", "")
                .fails('C', "40001", "could not serialize access")
                .note('C', "retry 1 of 2")
                .turn('C', "SELECT n FROM t", "")
                .returns('C', 0)
                .turn('C', "SELECT n, s FROM t", "")
                .returns('C', 2, "n", "1", "s", null)
                .commits('C');

        assertThat(CheckText.of(
                        new Found().violated(1, trace.ending()).report(scenario), new Look(Style.PLAIN, true, 110)))
                .contains("2 COMMIT: deferred checks")
                .contains("→ n = 2 (3 rows changed)")
                .contains("ERROR 40001: could not")
                .contains("retry 1 of 2")
                .contains("→ no row")
                .contains("→ n = 1, s = NULL (the first of")
                .contains("   then two()")
                .containsPattern("serializable, retried up to 2 .* every step .* serializable");
    }

    @Test
    void whatTheDatabaseSaysCannotSteerTheTerminal() {
        Violation violation = new Violation(
                "on_call_coverage",
                List.of("name"),
                List.of(Arrays.asList("\u001b[2Jred\nline"), Arrays.asList((String) null)),
                30);
        TraceBuilder trace = new TraceBuilder()
                .turn('A', "SELECT E'\\n'\n  FROM t", "x='\u001b]0;title\u0007'")
                .returns('A', 1, "v", "a\tb\u202e")
                .commits('A')
                .turn('B', "SELECT 1", "")
                .fails('B', "P0001", "two\nlines\r")
                .ends('B', new Outcome.Failed("P0001", "two\nlines\r"));

        String text =
                CheckText.of(new Found().violated(1, trace.ending(violation)).report(), Look.plain());

        assertThat(text.codePoints().filter(c -> c < ' ' && c != '\n')).isEmpty();
        assertThat(text)
                .contains("\\u001b[2Jred\\nline")
                .contains("SELECT E'\\n'")
                .contains("v = a\\tb\\u202e")
                .contains("ERROR P0001: two\\nlines\\r")
                .contains("NULL\n")
                .contains("    and 28 more\n");
    }

    @Test
    void wideCharactersKeepTheColumnsStraight() {
        TraceBuilder trace = new TraceBuilder()
                .turn('A', "SELECT '日本語' AS v", "")
                .returns('A', 1, "v", "日本語")
                .commits('A')
                .turn('B', "SELECT 1 AS v", "")
                .returns('B', 1, "v", "1")
                .commits('B');

        assertThat(CheckText.of(new Found().violated(1, trace.ending()).report(), Look.plain()))
                .contains("    → v = 日本語" + " ".repeat(35) + "│\n");
    }

    @Test
    void quotesTheReplayForAShell() {
        Scenario scenario = Found.scenario();
        CheckReport report = new CheckReport(
                new Found()
                        .violated(1, Found.bothLeave().ending(Found.NOBODY_ON_CALL))
                        .in(scenario),
                "17.11",
                java.time.Duration.ofSeconds(75),
                List.of("--repair", "the doctor's lock"));

        assertThat(CheckText.of(report, Look.plain()))
                .contains("./cerrojo check --repair 'the doctor'\\''s lock' --replay 1:ABBBAA examples/on-call.yaml")
                .containsPattern("\\(1 min 15 s,\\s+PostgreSQL\\s+17.11\\)");
    }

    private static SerialTally tally(Execution anomaly) {
        return new SerialTally(
                20,
                3,
                1,
                Optional.of(anomaly),
                new Aborts(6, 3, 2, 1),
                List.of("table t is not compared: two runs of one serial order differ there"));
    }

    /** An invariant that holds in a history that no serial order explains still holds. */
    @Test
    void showsWhatIsNotSerializableThoughTheInvariantHolds() {
        Execution anomaly = Found.anomalous(Found.bothLeave().ending());

        String text = CheckText.of(
                new Found()
                        .judged(tally(anomaly))
                        .ending(3, false, new Outcome.Committed(), new Outcome.Committed())
                        .report(),
                Look.plain());

        assertThat(text)
                .startsWith("HOLDS: on_call_coverage holds at the end of all 20 schedules.")
                .contains("Serial equivalence: 3 of 20 schedules end as no serial order of the sessions does.")
                .contains("Serial equivalence: table t is not compared: two runs of one serial order differ there.")
                .contains("PostgreSQL failed a session in 6 schedules: 3 needed")
                .contains("The shortest schedule that ends as no serial order does:")
                .contains("No serial order ends so. The closest one differs here:")
                .contains("serial order B A")
                .contains("table on_call")
                .contains("--replay 1:ABBBAA");
    }

    @Test
    void saysThatAllSchedulesAreSerializable() {
        SerialTally all = new SerialTally(20, 0, 0, Optional.empty(), Aborts.NONE, List.of());

        assertThat(CheckText.of(new Found().judged(all).report(), Look.plain()))
                .contains("Serial equivalence: all 20 schedules end as a serial order of the sessions that committed");
        assertThat(CheckText.of(new Found().report(), Look.plain())).doesNotContain("Serial equivalence");
    }

    @Test
    void saysWhichFaultsWerePlaced() {
        Scenario scenario = Found.scenario().withFaults(new Faults(2, 1, true));

        assertThat(CheckText.of(new Found().report(scenario), Look.plain()))
                .contains("Faults: up to 2 crashes and 1 lost answer, at every step; the client then runs its session");
        assertThat(CheckText.of(new Found().report(), Look.plain())).doesNotContain("Faults");
    }
}
