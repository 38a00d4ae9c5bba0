package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.schedule.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What happened to a session, for its column of a timeline. */
final class EventPhrases {
    private static final Pattern CHANGES_ROWS = Pattern.compile("(?is)(insert|update|delete|merge|with)\\b.*");
    private static final Pattern READS_ROWS = Pattern.compile("(?is)(select|values|table|with)\\b.*");

    private final Look look;

    EventPhrases(Look look) {
        this.look = look;
    }

    /**
     * Describes an event.
     *
     * @param event the event
     * @param waited whether the session's step began in an earlier turn
     * @return lines; none when the event is shown elsewhere
     */
    List<Phrase> of(TraceEvent event, boolean waited) {
        if (event instanceof TraceEvent.Started started) {
            return started(started.step());
        } else if (event instanceof TraceEvent.Finished finished) {
            return finished(finished, waited);
        } else if (event instanceof TraceEvent.Waits waits) {
            return List.of(Phrase.of(Tone.WARNING, "waits for " + waitedFor(waits)));
        } else if (event instanceof TraceEvent.Note note) {
            return List.of(Phrase.of(Printable.of(note.text())));
        } else if (event instanceof TraceEvent.DeadlockFound deadlock) {
            String text = "deadlock of " + Words.sessions(deadlock.members()) + ": " + Words.letter(deadlock.session())
                    + " is the victim";
            return List.of(Phrase.of(Tone.BAD, text));
        }
        return List.of();
    }

    private static String waitedFor(TraceEvent.Waits waits) {
        return waits.blockers().isEmpty() ? "a lock" : Words.sessions(waits.blockers());
    }

    private static List<Phrase> started(StepInfo step) {
        List<Phrase> lines = new ArrayList<>();
        boolean statement = isStatement(step);
        lines.add(Phrase.of(statement ? Tone.NORMAL : Tone.STRONG, Printable.lines(step.sql())));
        if (!step.bound().isEmpty()) {
            lines.add(Phrase.of(Tone.FAINT, "  with " + Printable.of(step.bound())));
        }
        return lines;
    }

    private static boolean isStatement(StepInfo step) {
        return step.kind() == StepInfo.Kind.STATEMENT || step.kind() == StepInfo.Kind.COMPOUND;
    }

    private List<Phrase> finished(TraceEvent.Finished finished, boolean waited) {
        StepResult result = finished.result();
        if (finished.step().kind() == StepInfo.Kind.CRASH) {
            return List.of();
        }
        if (result.error().isPresent()) {
            return List.of(failure(result.error().orElseThrow()));
        }
        Phrase line =
                (waited ? Phrase.of(Tone.WARNING, "goes on ") : Phrase.EMPTY).and(result(finished.step(), result));
        return line.text().isBlank() ? List.of() : List.of(line);
    }

    private static Phrase failure(StepResult.Failure failure) {
        return Phrase.of(
                Tone.BAD, "ERROR " + Printable.of(failure.sqlState()) + ": " + Printable.of(failure.message()));
    }

    private Phrase result(StepInfo step, StepResult result) {
        if (!isStatement(step) || (result.rows() < 0 && result.values().isEmpty())) {
            return Phrase.EMPTY;
        }
        boolean changes = CHANGES_ROWS.matcher(step.sql().strip()).matches();
        if (!result.values().isEmpty()) {
            return Phrase.of(look.arrow() + " ")
                    .and(Tone.STRONG, values(result))
                    .and(more(result, changes));
        } else if (changes) {
            return Phrase.of(look.arrow() + " " + rows(result.rows(), "changed"));
        }
        boolean reads = READS_ROWS.matcher(step.sql().strip()).matches();
        return reads && result.rows() == 0 ? Phrase.of(look.arrow() + " no row") : Phrase.EMPTY;
    }

    private static String values(StepResult result) {
        return result.values().entrySet().stream()
                .map(value -> Printable.of(value.getKey()) + " = "
                        + (value.getValue() == null ? "NULL" : Printable.of(value.getValue())))
                .collect(Collectors.joining(", "));
    }

    private static String more(StepResult result, boolean changes) {
        if (result.rows() < 0) {
            return " (the first row)";
        }
        if (changes) {
            return " (" + rows(result.rows(), "changed") + ")";
        }
        return result.rows() > 1 ? " (the first of " + rows(result.rows(), "") + ")" : "";
    }

    private static String rows(long rows, String what) {
        return (Words.count(rows, "row", "rows") + " " + what).strip();
    }

    Phrase outcome(Outcome outcome) {
        if (outcome instanceof Outcome.Committed) {
            return Phrase.of(Tone.GOOD, "committed");
        } else if (outcome instanceof Outcome.Failed failed) {
            return Phrase.of(Tone.BAD, "failed with " + Words.sqlState(failed.sqlState()));
        } else if (outcome instanceof Outcome.Stuck || outcome instanceof Outcome.Crashed) {
            return Phrase.of(Tone.BAD, outcome.toString());
        }
        return Phrase.of(Tone.WARNING, Words.outcome(outcome));
    }
}
