package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.spec.Spec;
import dev.cerrojo.explorer.spec.SpecResult;
import dev.cerrojo.explorer.spec.SpecStep;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What exploring a specification found, as JSON. */
final class SpecJson {
    private SpecJson() {}

    static Map<String, @Nullable Object> of(SpecReport report) {
        SpecResult result = report.result();
        return new JsonObject()
                .put("verdict", result.verdict().word())
                .put("reasons", result.reasons())
                .put("complete", isComplete(result))
                .put("isolation", result.spec().isolation().map(Isolation::sql))
                .put(
                        "counts",
                        counts(
                                result.schedules(),
                                result.anomalous(),
                                result.deadlocking(),
                                result.waiting(),
                                result.aborts()))
                .put(
                        "programs",
                        result.programs().stream()
                                .map(program -> program(report, program))
                                .toList())
                .put("elapsedMillis", report.elapsed())
                .fields();
    }

    private static boolean isComplete(SpecResult result) {
        return result.complete()
                && result.programs().stream()
                        .allMatch(program -> program.exploration().exhausted());
    }

    private static Map<String, Long> counts(
            long schedules, long anomalous, long deadlocking, long waiting, Aborts aborts) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("schedules", schedules);
        counts.put("anomalous", anomalous);
        counts.put("deadlocking", deadlocking);
        counts.put("waiting", waiting);
        counts.putAll(aborts(aborts));
        return counts;
    }

    static Map<String, Long> aborts(Aborts aborts) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("aborting", aborts.schedules());
        counts.put("neededAborts", aborts.needed());
        counts.put("unneededAborts", aborts.unneeded());
        counts.put("abortsAlikeAtRepeatableRead", aborts.alike());
        return counts;
    }

    private static Map<String, @Nullable Object> program(SpecReport report, SpecResult.OfProgram program) {
        Spec spec = report.result().spec();
        return new JsonObject()
                .put("number", program.program().number())
                .put("sessions", sessions(spec, program.program().steps()))
                .put("verdict", program.verdict().word())
                .put(
                        "counts",
                        counts(
                                program.exploration().schedules(),
                                program.exploration().violating(),
                                program.exploration().deadlocking(),
                                program.exploration().waiting(),
                                program.aborts()))
                .put("sqlStates", List.copyOf(program.exploration().sqlStates()))
                .put(
                        "endings",
                        program.exploration().endings().entrySet().stream()
                                .map(entry -> CheckJson.ending(entry.getKey(), entry.getValue()))
                                .toList())
                .put("witness", program.witness().map(shown -> schedule(report, shown)))
                .put("deadlock", program.deadlock().map(shown -> schedule(report, shown)))
                .put("elapsedMillis", program.exploration().elapsed())
                .fields();
    }

    private static List<Map<String, @Nullable Object>> sessions(Spec spec, List<List<SpecStep>> steps) {
        List<Map<String, @Nullable Object>> sessions = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            sessions.add(new JsonObject()
                    .put("session", Words.letter(i))
                    .put("name", spec.sessions().get(i).name())
                    .put("steps", steps.get(i).stream().map(SpecStep::name).toList())
                    .fields());
        }
        return sessions;
    }

    static Map<String, @Nullable Object> schedule(SpecReport report, SpecResult.Shown shown) {
        return new JsonObject()
                .put("replay", shown.token().toString())
                .put("replayCommand", report.replayCommand(shown.token()))
                .put("events", ScheduleJson.events(shown.execution().trace()))
                .put(
                        "outcomes",
                        shown.execution().trace().outcomes().stream()
                                .map(ScheduleJson::outcome)
                                .toList())
                .put("anomaly", ScheduleJson.anomaly(shown.execution()))
                .fields();
    }

    static Map<String, @Nullable Object> replay(SpecReport report, SpecResult.Shown shown) {
        return new JsonObject()
                .put("anomalous", shown.execution().isViolation())
                .put("schedule", schedule(report, shown))
                .fields();
    }
}
