package dev.cerrojo.explorer.schedule;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * What happened at each turn of a run, a character for each: which step was taken, how it ended and how many rows it touched, who
 * waited for whom, who went on, and how sessions ended. Values are not in it: keys, times and random numbers may differ.
 */
final class Course {
    private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz234567";

    private final List<List<TraceEvent>> turns = new ArrayList<>();

    Course(List<TraceEvent> events) {
        for (TraceEvent event : events) {
            if (event instanceof TraceEvent.Started || turns.isEmpty()) {
                turns.add(new ArrayList<>());
            }
            turns.get(turns.size() - 1).add(event);
        }
    }

    /** Who of several sessions that one turn let go on was noted first is chance; what each did has its order. */
    private static char character(List<TraceEvent> turn) {
        CRC32 sum = new CRC32();
        turn.stream()
                .sorted(Comparator.comparingInt(TraceEvent::session))
                .map(Course::text)
                .forEach(text -> sum.update(text.getBytes(StandardCharsets.UTF_8)));
        return CHARACTERS.charAt((int) (sum.getValue() % CHARACTERS.length()));
    }

    private static String text(TraceEvent event) {
        return event.session() + " " + what(event) + "\n";
    }

    private static String what(TraceEvent event) {
        if (event instanceof TraceEvent.Started started) {
            return "starts " + started.step().sql();
        }
        if (event instanceof TraceEvent.Finished finished) {
            return "ends " + result(finished.result());
        }
        if (event instanceof TraceEvent.Waits waits) {
            return "waits " + waits.blockers();
        }
        if (event instanceof TraceEvent.DeadlockFound found) {
            return "fails " + found.members();
        }
        return event instanceof TraceEvent.Ended ended ? "is done " + withoutMessage(ended.outcome()) : "";
    }

    private static String result(StepResult result) {
        return result.error().map(StepResult.Failure::sqlState).orElse("ok " + result.rows());
    }

    private static String withoutMessage(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? "failed " + failed.sqlState() : outcome.toString();
    }

    /**
     * Finds where a run went another way.
     *
     * @param recorded the course of the run before
     * @return the first turn, from 0, that is not as recorded; empty when all are
     */
    Optional<Integer> firstDifference(String recorded) {
        String now = toString();
        for (int i = 0; i < Math.max(now.length(), recorded.length()); i++) {
            if (i >= now.length() || i >= recorded.length() || now.charAt(i) != recorded.charAt(i)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /** {@return what happened at a turn, for a reader} */
    String at(int turn) {
        if (turn >= turns.size()) {
            return "it ended sooner";
        }
        StringBuilder text = new StringBuilder();
        for (TraceEvent event : turns.get(turn)) {
            if (event instanceof TraceEvent.Started started) {
                text.append("session ")
                        .append(Choice.letter(started.session()))
                        .append(" in \"")
                        .append(started.step().sql())
                        .append('"');
            } else if (event instanceof TraceEvent.Finished finished
                    && finished.result().error().isPresent()) {
                text.append(" failed (").append(result(finished.result())).append(')');
            }
        }
        return text.toString();
    }

    /** A character for each turn. */
    @Override
    public String toString() {
        StringBuilder word = new StringBuilder();
        turns.forEach(turn -> word.append(character(turn)));
        return word.toString();
    }
}
