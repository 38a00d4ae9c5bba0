package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.scenario.Faults;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.SerialTally;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a check found, as JSON. */
final class CheckJson {
    private CheckJson() {}

    /**
     * Writes it.
     *
     * @param replay the command that runs a schedule again, if there is one
     */
    static Map<String, @Nullable Object> of(
            CheckResult result, Duration elapsed, Function<ReplayToken, Optional<String>> replay) {
        return new JsonObject()
                .put("verdict", result.verdict().word())
                .put("reasons", result.reasons())
                .put("complete", isComplete(result))
                .put(
                        "shard",
                        result.shard().isPart() ? Optional.of(result.shard().toString()) : Optional.empty())
                .put("counts", counts(result))
                .put("faults", faults(result.scenario().faults()))
                .put("serialEquivalence", serial(result.serial()))
                .put("sqlStates", List.copyOf(result.sqlStates()))
                .put("invariants", invariants(result.scenario()))
                .put("shortestWitnessRun", result.shortestWitness().map(RunResult::number))
                .put(
                        "runs",
                        result.runs().stream()
                                .map(run -> run(result.scenario(), run, replay))
                                .toList())
                .put("elapsedMillis", elapsed)
                .fields();
    }

    static boolean isComplete(CheckResult result) {
        return result.complete()
                && !result.shard().isPart()
                && result.runs().stream().allMatch(run -> run.exploration().exhausted());
    }

    static Map<String, Long> counts(CheckResult result) {
        return counts(
                result.schedules(), result.violating(), result.deadlocking(), result.waiting(), result.committing());
    }

    private static Map<String, Long> counts(
            long schedules, long violating, long deadlocking, long waiting, long committing) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("schedules", schedules);
        counts.put("violating", violating);
        counts.put("deadlocking", deadlocking);
        counts.put("waiting", waiting);
        counts.put("committing", committing);
        return counts;
    }

    private static List<Map<String, @Nullable Object>> invariants(Scenario scenario) {
        return scenario.invariants().stream()
                .map(invariant -> new JsonObject()
                        .put("name", invariant.name())
                        .put("says", invariant.says())
                        .fields())
                .toList();
    }

    private static Map<String, @Nullable Object> run(
            Scenario scenario, RunResult run, Function<ReplayToken, Optional<String>> replay) {
        Exploration found = run.exploration();
        return new JsonObject()
                .put("number", run.number())
                .put("sessions", ScheduleJson.sessions(scenario, run.run()))
                .put("verdict", found.verdict().word())
                .put("serialViolation", found.serialViolation())
                .put("exhausted", found.exhausted())
                .put("reduced", found.reduced())
                .put("reason", found.reason())
                .put(
                        "counts",
                        counts(
                                found.schedules(),
                                found.violating(),
                                found.deadlocking(),
                                found.waiting(),
                                found.committing()))
                .put("serialEquivalence", serial(found.serial()))
                .put("sqlStates", List.copyOf(found.sqlStates()))
                .put(
                        "endings",
                        found.endings().entrySet().stream()
                                .map(entry -> bothOracles(entry.getKey(), entry.getValue()))
                                .toList())
                .put("witness", run.witness().map(witness -> schedule(scenario, witness, replay)))
                .put("deadlock", RunExamples.deadlock(run).map(witness -> schedule(scenario, witness, replay)))
                .put("anomaly", RunExamples.anomaly(run).map(witness -> schedule(scenario, witness, replay)))
                .put("elapsedMillis", found.elapsed())
                .fields();
    }

    private static Map<String, @Nullable Object> schedule(
            Scenario scenario, RunResult.Witness witness, Function<ReplayToken, Optional<String>> replay) {
        return ScheduleJson.of(scenario, witness, replay.apply(witness.token()));
    }

    private static Optional<Map<String, @Nullable Object>> faults(Faults faults) {
        return faults.any()
                ? Optional.of(new JsonObject()
                        .put("crash", faults.crash())
                        .put("lostAnswer", faults.lostAnswer())
                        .put("clientRetries", faults.clientRetries())
                        .fields())
                : Optional.empty();
    }

    /** {@return null when nobody asked} */
    private static Optional<Map<String, @Nullable Object>> serial(SerialTally tally) {
        return tally.judged() == 0
                ? Optional.empty()
                : Optional.of(new JsonObject()
                        .put("judged", tally.judged())
                        .put("anomalous", tally.anomalous())
                        .put("undecided", tally.undecided())
                        .putAll(SpecJson.aborts(tally.aborts()))
                        .put("doubts", tally.doubts())
                        .fields());
    }

    private static Map<String, @Nullable Object> bothOracles(Execution.Ending ending, long count) {
        return new JsonObject()
                .putAll(ending(ending, count))
                .put("anomalous", ending.anomalous())
                .fields();
    }

    static Map<String, @Nullable Object> ending(Execution.Ending ending, long count) {
        return new JsonObject()
                .put(
                        "outcomes",
                        ending.outcomes().stream().map(ScheduleJson::outcome).toList())
                .put("violated", ending.violated())
                .put("count", count)
                .fields();
    }
}
