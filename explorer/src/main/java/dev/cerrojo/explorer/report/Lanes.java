package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as lanes, one for each session: what happened at each turn, who waited for whom, and how each session ended.
 *
 * @param heads who takes part, line by line
 * @param turns the turns, in order
 * @param waits the lock waits, in the order in which they began
 * @param outcomes what each session ended with
 */
record Lanes(List<List<Phrase>> heads, List<Turn> turns, List<Wait> waits, List<Phrase> outcomes) {
    /**
     * A turn.
     *
     * @param number its place among the schedule's choices, from 1
     * @param cells what sessions did in it: the one that had it, and those that it let go on
     */
    record Turn(int number, List<Cell> cells) {}

    /** What a session did in a turn. */
    record Cell(int session, Mark mark, List<Phrase> lines) {
        String letter() {
            return Words.letter(session);
        }
    }

    /** What sort of thing it was. */
    enum Mark {
        STATEMENT(""),
        SNAPSHOT("takes its snapshot here"),
        COMMIT("commits"),
        ROLLBACK("rolls back"),
        CRASH("crashes"),
        GOES_ON("its wait is over");

        private final String words;

        Mark(String words) {
            this.words = words;
        }

        /** {@return for those who cannot see the mark; may be empty} */
        String words() {
            return words;
        }

        String css() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * A wait.
     *
     * @param session who waits
     * @param from the index of the turn in which it begins
     * @param to that of the turn in which it ends; the number of turns, when it never does
     * @param blockers for whom
     */
    record Wait(int session, int from, int to, List<Integer> blockers) {}

    /** {@return the lanes of a schedule of sessions that are described by these lines} */
    static Lanes of(List<List<Phrase>> heads, Trace trace) {
        int sessions = trace.outcomes().size();
        List<TimelineRow> rows = TimelineRow.of(Collections.nCopies(sessions, List.of()), trace, Look.plain());
        Marks marks = new Marks(sessions);
        trace.events().forEach(marks::add);
        List<Turn> turns = new ArrayList<>();
        for (TimelineRow row : rows.subList(2, rows.size() - 1)) {
            turns.add(turn(row, marks, turns.size()));
        }
        List<Phrase> outcomes = rows.get(rows.size() - 1).cells().stream()
                .map(cell -> cell.get(0))
                .toList();
        return new Lanes(heads, turns, marks.waits(turns.size()), outcomes);
    }

    private static Turn turn(TimelineRow row, Marks marks, int index) {
        List<Cell> cells = new ArrayList<>();
        for (int session = 0; session < row.cells().size(); session++) {
            List<Phrase> lines = row.cells().get(session);
            if (!lines.isEmpty()) {
                cells.add(new Cell(session, marks.of(index, session), lines));
            }
        }
        return new Turn(Integer.parseInt(row.number()), cells);
    }

    /** Goes through what happened once more, for what a timeline of text does not show. */
    private static final class Marks {
        private final List<TreeMap<Integer, Mark>> turns = new ArrayList<>();
        private final List<Wait> waits = new ArrayList<>();
        private final TreeMap<Integer, Integer> since = new TreeMap<>();
        private final List<Set<Integer>> blockers = new ArrayList<>();

        Marks(int sessions) {
            for (int i = 0; i < sessions; i++) {
                blockers.add(new LinkedHashSet<>());
            }
        }

        void add(TraceEvent event) {
            if (event instanceof TraceEvent.Started started) {
                turns.add(new TreeMap<>());
                turns.get(turns.size() - 1).put(event.session(), mark(started.step()));
            } else if (event instanceof TraceEvent.Waits wait) {
                since.putIfAbsent(event.session(), turns.size() - 1);
                blockers.get(event.session()).addAll(wait.blockers());
            } else if (event instanceof TraceEvent.Finished) {
                end(event.session(), turns.size() - 1);
            }
        }

        private void end(int session, int turn) {
            @Nullable Integer from = since.remove(session);
            if (from != null) {
                waits.add(new Wait(session, from, turn, List.copyOf(blockers.get(session))));
                blockers.get(session).clear();
            }
        }

        private static Mark mark(StepInfo step) {
            return switch (step.kind()) {
                case STATEMENT, COMPOUND ->
                    step.isolation() == Isolation.READ_COMMITTED || step.takesSnapshot()
                            ? Mark.SNAPSHOT
                            : Mark.STATEMENT;
                case DEFERRED_CHECKS -> Mark.STATEMENT;
                case COMMIT, COMMIT_UNANSWERED -> Mark.COMMIT;
                case ROLLBACK -> Mark.ROLLBACK;
                case CRASH -> Mark.CRASH;
            };
        }

        Mark of(int turn, int session) {
            return turns.get(turn).getOrDefault(session, Mark.GOES_ON);
        }

        List<Wait> waits(int end) {
            List.copyOf(since.keySet()).forEach(session -> end(session, end));
            return waits;
        }
    }

    /** {@return the letter of each lane} */
    String letter(int lane) {
        return Words.letter(lane);
    }
}
