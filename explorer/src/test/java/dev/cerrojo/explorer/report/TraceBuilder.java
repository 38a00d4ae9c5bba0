package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Deadlock;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a schedule could have looked like, written by hand: events in their order. Sessions are letters. */
final class TraceBuilder {
    private final List<ChoicePoint> points = new ArrayList<>();
    private final List<TraceEvent> events = new ArrayList<>();
    private final Map<Integer, StepInfo> running = new LinkedHashMap<>();
    private final Map<Integer, Outcome> outcomes = new LinkedHashMap<>();

    private static int index(char session) {
        return session - 'A';
    }

    private TraceBuilder start(char session, StepInfo step) {
        points.add(new ChoicePoint(
                new Choice.Turn(index(session)), List.of(index(session)), -1, Optional.of(step), Optional.empty(), 0));
        running.put(index(session), step);
        events.add(new TraceEvent.Started(index(session), step));
        return this;
    }

    TraceBuilder turn(char session, String sql, String bound) {
        return start(session, new StepInfo(StepInfo.Kind.STATEMENT, sql, bound, Isolation.READ_COMMITTED, false));
    }

    private TraceBuilder finish(char session, StepResult result) {
        events.add(new TraceEvent.Finished(index(session), running.get(index(session)), result));
        return this;
    }

    /** The step returned a row with these columns and values, alternating. */
    TraceBuilder returns(char session, long rows, String... values) {
        Map<String, String> first = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i += 2) {
            first.put(values[i], values[i + 1]);
        }
        return finish(session, new StepResult(rows, first, Optional.empty()));
    }

    TraceBuilder changes(char session, long rows) {
        return finish(session, new StepResult(rows, Map.of(), Optional.empty()));
    }

    TraceBuilder fails(char session, String sqlState, String message) {
        return finish(session, StepResult.failed(new StepResult.Failure(sqlState, message, "")));
    }

    TraceBuilder waits(char session, char... blockers) {
        List<Integer> sessions = new ArrayList<>();
        for (char blocker : blockers) {
            sessions.add(index(blocker));
        }
        events.add(new TraceEvent.Waits(index(session), running.get(index(session)), sessions));
        return this;
    }

    TraceBuilder note(char session, String text) {
        events.add(new TraceEvent.Note(index(session), text));
        return this;
    }

    TraceBuilder deadlock(char victim, int... members) {
        List<Integer> sessions = Arrays.stream(members).boxed().toList();
        events.add(new TraceEvent.DeadlockFound(index(victim), sessions));
        Deadlock deadlock = new Deadlock(
                sessions.stream()
                        .map(session -> new Deadlock.Wait(session, 0, 0))
                        .toList(),
                index(victim));
        points.add(new ChoicePoint(
                new Choice.Victim(index(victim)), sessions, -1, Optional.empty(), Optional.of(deadlock), 0));
        return this;
    }

    TraceBuilder deferredChecks(char session) {
        return start(session, StepInfo.deferredChecks(Isolation.READ_COMMITTED)).finish(session, StepResult.DONE);
    }

    TraceBuilder commits(char session) {
        return start(session, StepInfo.commit(Isolation.READ_COMMITTED))
                .finish(session, StepResult.DONE)
                .ends(session, new Outcome.Committed());
    }

    TraceBuilder refused(char session, String reason) {
        return start(session, StepInfo.rollback(Isolation.READ_COMMITTED))
                .finish(session, StepResult.DONE)
                .ends(session, new Outcome.Refused(reason));
    }

    TraceBuilder ends(char session, Outcome outcome) {
        outcomes.put(index(session), outcome);
        events.add(new TraceEvent.Ended(index(session), outcome));
        return this;
    }

    Execution ending(Violation... violations) {
        List<Outcome> all = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            all.add(outcomes.get(i));
        }
        return new Execution(new Trace(points, events, all, List.of(), List.of(), 0), List.of(violations));
    }
}
