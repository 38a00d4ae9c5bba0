package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * One row of a timeline.
 *
 * @param number the turn's place among the schedule's choices, from 1; empty for what is no turn
 * @param rule whether a line is drawn above it
 * @param cells what each session did, line by line; empty for a session that did nothing
 */
record TimelineRow(String number, boolean rule, List<List<Phrase>> cells) {
    private static TimelineRow empty(String number, boolean rule, int sessions) {
        List<List<Phrase>> cells = new ArrayList<>();
        IntStream.range(0, sessions).forEach(session -> cells.add(new ArrayList<>()));
        return new TimelineRow(number, rule, cells);
    }

    /** {@return the place among a schedule's choices, from 1, of each turn: what lies between is the choice of a victim} */
    static List<Integer> turns(Trace trace) {
        List<ChoicePoint> points = trace.points();
        return IntStream.rangeClosed(1, points.size())
                .filter(place -> points.get(place - 1).taken() instanceof Choice.Turn)
                .boxed()
                .toList();
    }

    /** {@return the rows of a schedule: who takes part, each turn, and what each session ended with} */
    static List<TimelineRow> of(Scenario scenario, Run run, Trace trace, Look look) {
        return of(participants(scenario, run), trace, look);
    }

    /** {@return the same of sessions that are no scenario's, given who takes part, line by line} */
    static List<TimelineRow> of(List<List<Phrase>> participants, Trace trace, Look look) {
        return new Builder(participants.size(), trace, look).rows(participants);
    }

    private static List<List<Phrase>> participants(Scenario scenario, Run run) {
        TimelineRow row = empty("", false, run.sessions().size());
        for (int i = 0; i < run.sessions().size(); i++) {
            List<Phrase> cell = row.cells().get(i);
            for (Call call : run.sessions().get(i).calls()) {
                cell.add(Phrase.of(
                        Tone.STRONG,
                        (cell.isEmpty() ? Words.letter(i) + "  " : "   then ") + Printable.of(call.toString())));
                cell.add(Phrase.of(Tone.FAINT, "   " + circumstances(scenario, call)));
            }
        }
        return row.cells();
    }

    static String circumstances(Scenario scenario, Call call) {
        TransactionSpec spec = Objects.requireNonNull(scenario.transactions().get(call.transaction()));
        return spec.isolation().sql()
                + (spec.atomic() ? "" : ", every step commits by itself")
                + (spec.retry() == 0 ? "" : ", retried up to " + Words.count(spec.retry(), "time", "times"));
    }

    /**
     * Puts events into rows. What happens to a session in another's turn (its wait ends) stands in the row of that turn; in
     * which order two sessions' events of one turn came is chance, and does not show.
     */
    private static final class Builder {
        private final int sessions;
        private final Trace trace;
        private final EventPhrases phrases;
        private final List<TimelineRow> rows = new ArrayList<>();
        private final Iterator<Integer> turns;
        private final int[] startedIn;

        Builder(int sessions, Trace trace, Look look) {
            this.sessions = sessions;
            this.trace = trace;
            this.phrases = new EventPhrases(look);
            this.turns = turns(trace).iterator();
            this.startedIn = new int[sessions];
        }

        List<TimelineRow> rows(List<List<Phrase>> participants) {
            rows.add(new TimelineRow("", false, participants));
            rows.add(empty("", true, sessions));
            trace.events().forEach(this::add);
            rows.add(outcomes());
            return rows;
        }

        private void add(TraceEvent event) {
            if (event instanceof TraceEvent.Started started) {
                rows.add(empty(String.valueOf(turns.next()), false, sessions));
                startedIn[started.session()] = rows.size() - 1;
            }
            List<Phrase> cell = rows.get(rows.size() - 1).cells().get(event.session());
            boolean waited = startedIn[event.session()] < rows.size() - 1;
            cell.addAll(phrases.of(event, waited));
        }

        private TimelineRow outcomes() {
            TimelineRow row = empty("", true, sessions);
            for (int i = 0; i < sessions; i++) {
                row.cells().get(i).add(phrases.outcome(trace.outcomes().get(i)));
            }
            return row;
        }
    }
}
