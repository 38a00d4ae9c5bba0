package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.SerialFinding;
import dev.cerrojo.explorer.search.SerialTally;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.Difference;
import dev.cerrojo.explorer.serial.SerialJudgement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a check could have found, written by hand. */
final class Found {
    static final Violation NOBODY_ON_CALL =
            new Violation("on_call_coverage", List.of("id", "count"), List.of(List.of("1", "0")), 1);

    private long violating;
    private long deadlocking;
    private long waiting;
    private long committing = 20;
    private final Map<Execution.Ending, Long> endings = new LinkedHashMap<>();
    private Optional<Execution> witness = Optional.empty();
    private Optional<Execution> deadlock = Optional.empty();
    private boolean serial;
    private boolean reduced;
    private SerialTally serialOrders = SerialTally.NONE;
    private Optional<String> reason = Optional.empty();
    private final SortedSet<String> sqlStates = new TreeSet<>();

    static Scenario scenario() {
        return ScenarioReader.read("examples/on-call.yaml", """
                title: The last two doctors of a shift leave at the same time
                setup: CREATE TABLE on_call (shift int, doctor text)
                transactions:
                  leave:
                    params: [shift, doctor]
                    steps:
                      - read: SELECT count(*) AS others FROM on_call WHERE shift = :shift AND doctor <> :doctor
                      - check: SELECT :others > 0
                        else: coverage-conflict
                      - write: DELETE FROM on_call WHERE shift = :shift AND doctor = :doctor
                run: [ "leave(shift=1, doctor='A')", "leave(shift=1, doctor='B')" ]
                invariant:
                  name: on_call_coverage
                  says: every shift keeps a doctor
                  scope: shift(id)
                  at_least: 1
                  of: on_call(shift)
                """);
    }

    /** Both doctors leave: the second reads before the first has committed. */
    static TraceBuilder bothLeave() {
        return reads(reads(new TraceBuilder(), 'A'), 'B')
                .turn('B', "DELETE FROM on_call WHERE shift = :shift AND doctor = :doctor", "shift=1, doctor='B'")
                .changes('B', 1)
                .commits('B')
                .turn('A', "DELETE FROM on_call WHERE shift = :shift AND doctor = :doctor", "shift=1, doctor='A'")
                .changes('A', 1)
                .commits('A');
    }

    private static TraceBuilder reads(TraceBuilder trace, char session) {
        return trace.turn(
                        session,
                        "SELECT count(*) AS others FROM on_call WHERE shift = :shift AND doctor <> :doctor",
                        "shift=1, doctor='" + session + "'")
                .returns(session, 1, "others", "1")
                .note(session, "check SELECT :others > 0  [others=1] is true");
    }

    /** One waits for the other, and is then refused. */
    static TraceBuilder oneWaits() {
        return new TraceBuilder()
                .turn('A', "SELECT pg_advisory_xact_lock(1)", "")
                .changes('A', 1)
                .turn('B', "SELECT pg_advisory_xact_lock(1)", "")
                .waits('B', 'A')
                .commits('A')
                .changes('B', 1)
                .refused('B', "coverage-conflict");
    }

    /** Each locks what the other wants next. */
    static TraceBuilder deadlocks() {
        return new TraceBuilder()
                .turn('A', "UPDATE t SET n = 1 WHERE id = 1", "")
                .changes('A', 1)
                .turn('B', "UPDATE t SET n = 2 WHERE id = 2", "")
                .changes('B', 1)
                .turn('B', "UPDATE t SET n = 2 WHERE id = 1", "")
                .waits('B', 'A')
                .turn('A', "UPDATE t SET n = 1 WHERE id = 2", "")
                .deadlock('A', 1, 0)
                .fails('A', "40P01", "deadlock detected")
                .ends('A', new Outcome.Failed("40P01", "deadlock detected"))
                .changes('B', 1)
                .commits('B');
    }

    Found violated(long count, Execution example) {
        violating = count;
        witness = Optional.of(example);
        return this;
    }

    Found deadlocking(long count, Execution example) {
        deadlocking = count;
        waiting = count;
        deadlock = Optional.of(example);
        sqlStates.add("40P01");
        return this;
    }

    Found serial() {
        serial = true;
        return this;
    }

    Found reduced() {
        reduced = true;
        return this;
    }

    /** Serial equivalence was asked for. */
    Found judged(SerialTally tally) {
        serialOrders = tally;
        return this;
    }

    /** The same schedule, when no serial order ends so. */
    static Execution anomalous(Execution execution) {
        SerialJudgement judgement = new SerialJudgement(
                SerialJudgement.Kind.ANOMALOUS, List.of(1, 0), List.of(new Difference("table on_call", "(1, C)", "")));
        return new Execution(
                execution.trace(),
                execution.violations(),
                Optional.of(new SerialFinding(judgement, Aborts.NONE)),
                Optional.empty());
    }

    Found nothingCommits() {
        committing = 0;
        return this;
    }

    Found stopped(String why) {
        reason = Optional.of(why);
        return this;
    }

    Found sqlState(String state) {
        sqlStates.add(state);
        return this;
    }

    Found ending(long count, boolean violated, Outcome... outcomes) {
        endings.put(new Execution.Ending(List.of(outcomes), violated), count);
        return this;
    }

    CheckResult in(Scenario scenario) {
        Run run = scenario.runs().get(0);
        Exploration exploration = new Exploration(
                20,
                violating,
                deadlocking,
                waiting,
                committing,
                endings,
                witness,
                deadlock,
                Optional.empty(),
                serial,
                sqlStates,
                reason.isEmpty(),
                reason,
                Duration.ofMillis(420),
                List.of(),
                reduced,
                0,
                serialOrders);
        Optional<RunResult.Witness> shown = witness.map(execution -> new RunResult.Witness(
                run, new ReplayToken(1, List.of(), execution.trace().schedule()), execution));
        return new CheckResult(scenario, List.of(new RunResult(1, run, exploration, shown)), true);
    }

    CheckReport report() {
        return report(scenario());
    }

    CheckReport report(Scenario scenario) {
        return new CheckReport(in(scenario), "17.11", Duration.ofMillis(420), List.of());
    }
}
