package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.Difference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One schedule, as JSON: who took part, everything that happened, and how it ended. */
final class ScheduleJson {
    private ScheduleJson() {}

    static Map<String, @Nullable Object> of(Scenario scenario, RunResult.Witness shown, Optional<String> command) {
        Execution execution = shown.execution();
        return new JsonObject()
                .put("replay", shown.token().toString())
                .put("replayCommand", command)
                .put("sessions", sessions(scenario, shown.run()))
                .put("events", events(execution.trace()))
                .put(
                        "outcomes",
                        execution.trace().outcomes().stream()
                                .map(ScheduleJson::outcome)
                                .toList())
                .put(
                        "violations",
                        execution.violations().stream()
                                .map(violation -> violation(scenario, violation))
                                .toList())
                .put("anomaly", anomaly(execution))
                .fields();
    }

    /** {@return how it differs from the serial order that is closest to it; nothing when some serial order ends alike} */
    static Optional<Map<String, @Nullable Object>> anomaly(Execution execution) {
        return execution
                .serial()
                .filter(finding -> finding.judgement().isAnomalous())
                .map(finding -> new JsonObject()
                        .put("closest", finding.order())
                        .put(
                                "differences",
                                finding.judgement().differences().stream()
                                        .map(ScheduleJson::difference)
                                        .toList())
                        .fields());
    }

    private static Map<String, @Nullable Object> difference(Difference difference) {
        return new JsonObject()
                .put("where", difference.place())
                .put("here", difference.here())
                .put("there", difference.there())
                .fields();
    }

    static List<Map<String, @Nullable Object>> sessions(Scenario scenario, Run run) {
        List<Map<String, @Nullable Object>> sessions = new ArrayList<>();
        for (int i = 0; i < run.sessions().size(); i++) {
            sessions.add(new JsonObject()
                    .put("session", Words.letter(i))
                    .put(
                            "transactions",
                            run.sessions().get(i).calls().stream()
                                    .map(call -> transaction(scenario, call))
                                    .toList())
                    .fields());
        }
        return sessions;
    }

    private static Map<String, @Nullable Object> transaction(Scenario scenario, Call call) {
        TransactionSpec spec = Objects.requireNonNull(scenario.transactions().get(call.transaction()));
        return new JsonObject()
                .put("call", call.toString())
                .put("isolation", spec.isolation().sql())
                .put("retry", spec.retry())
                .put("atomic", spec.atomic())
                .fields();
    }

    static List<Map<String, @Nullable Object>> events(Trace trace) {
        Iterator<Integer> turns = TimelineRow.turns(trace).iterator();
        return trace.events().stream().map(event -> event(event, turns)).toList();
    }

    private static Map<String, @Nullable Object> event(TraceEvent event, Iterator<Integer> turns) {
        JsonObject json = new JsonObject().put("event", kind(event)).put("session", Words.letter(event.session()));
        if (event instanceof TraceEvent.Started started) {
            step(json.put("choice", turns.next()), started.step());
        } else if (event instanceof TraceEvent.Finished finished) {
            result(json, finished.step(), finished.result());
        } else if (event instanceof TraceEvent.Waits waits) {
            json.put("sql", waits.step().sql()).put("waitsFor", letters(waits.blockers()));
        } else if (event instanceof TraceEvent.Note note) {
            json.put("text", note.text());
        } else if (event instanceof TraceEvent.DeadlockFound deadlock) {
            json.put("members", letters(deadlock.members()));
        } else if (event instanceof TraceEvent.Ended ended) {
            json.put("outcome", outcome(ended.outcome()));
        }
        return json.fields();
    }

    private static String kind(TraceEvent event) {
        if (event instanceof TraceEvent.Started) {
            return "started";
        } else if (event instanceof TraceEvent.Finished) {
            return "finished";
        } else if (event instanceof TraceEvent.Waits) {
            return "waits";
        } else if (event instanceof TraceEvent.Note) {
            return "note";
        } else if (event instanceof TraceEvent.DeadlockFound) {
            return "deadlock";
        }
        return "ended";
    }

    private static void step(JsonObject json, StepInfo step) {
        json.put("step", step.kind().name().toLowerCase(Locale.ROOT))
                .put("sql", step.sql())
                .put("bound", step.bound());
    }

    private static void result(JsonObject json, StepInfo step, StepResult result) {
        json.put("sql", step.sql())
                .put("rows", Optional.of(result.rows()).filter(rows -> rows >= 0))
                .put("values", result.values())
                .put("error", result.error().map(ScheduleJson::failure));
    }

    private static Map<String, @Nullable Object> failure(StepResult.Failure failure) {
        return new JsonObject()
                .put("sqlState", failure.sqlState())
                .put("message", failure.message())
                .put("detail", failure.detail())
                .fields();
    }

    private static List<String> letters(List<Integer> sessions) {
        return sessions.stream().map(Words::letter).toList();
    }

    static Map<String, @Nullable Object> outcome(Outcome outcome) {
        JsonObject json = new JsonObject();
        if (outcome instanceof Outcome.Committed) {
            json.put("outcome", "committed");
        } else if (outcome instanceof Outcome.Refused refused) {
            json.put("outcome", "refused").put("reason", refused.reason());
        } else if (outcome instanceof Outcome.Failed failed) {
            json.put("outcome", "failed").put("sqlState", failed.sqlState()).put("message", failed.message());
        } else if (outcome instanceof Outcome.Crashed) {
            json.put("outcome", "crashed");
        } else if (outcome instanceof Outcome.Unknown) {
            json.put("outcome", "unknown");
        } else {
            json.put("outcome", "stuck");
        }
        return json.fields();
    }

    private static Map<String, @Nullable Object> violation(Scenario scenario, Violation violation) {
        return new JsonObject()
                .put("invariant", violation.invariant())
                .put("says", ViolatingRows.says(scenario, violation))
                .put("columns", violation.columns())
                .put("rows", violation.rows())
                .put("count", violation.count())
                .fields();
    }
}
