package dev.cerrojo.explorer.schedule;

import java.util.List;
import java.util.Optional;

/**
 * All that was seen of one schedule.
 *
 * @param points the choices, in order
 * @param events what happened, in order
 * @param outcomes what each session ended with
 * @param moves what each turn did, when the chooser wanted to know; else empty
 * @param waitNanos for each lock wait, how long after the turn it was known to be one
 * @param wakeUpOrders how often one turn let two sessions go on, and which of them came first was not our choice
 */
public record Trace(
        List<ChoicePoint> points,
        List<TraceEvent> events,
        List<Outcome> outcomes,
        List<Move> moves,
        List<Long> waitNanos,
        int wakeUpOrders) {
    /** Copies the lists. */
    public Trace {
        points = List.copyOf(points);
        events = List.copyOf(events);
        outcomes = List.copyOf(outcomes);
        moves = List.copyOf(moves);
        waitNanos = List.copyOf(waitNanos);
    }

    /** {@return the schedule that ran} */
    public Schedule schedule() {
        return new Schedule(points.stream().map(ChoicePoint::taken).toList());
    }

    /** {@return whether PostgreSQL found a deadlock, or a session would have waited for ever} */
    public boolean deadlocked() {
        return events.stream().anyMatch(TraceEvent.DeadlockFound.class::isInstance)
                || outcomes.stream().anyMatch(Outcome.Stuck.class::isInstance);
    }

    /** {@return whether a session waited for another} */
    public boolean waited() {
        return events.stream().anyMatch(TraceEvent.Waits.class::isInstance);
    }

    /** {@return whether some session committed} */
    public boolean anyCommitted() {
        return outcomes.stream().anyMatch(Outcome.Committed.class::isInstance);
    }

    /**
     * Tells how the run went, a character a turn: which step was taken, how it ended and how many rows it touched, and who waited
     * for whom. The values are not in it.
     *
     * @return a word of letters and digits, the same for runs that went alike
     */
    public String course() {
        return new Course(events).toString();
    }

    /**
     * Compares with a run before.
     *
     * @param recorded its {@link #course}
     * @throws Diverged if the run went another way, with the first step that did
     */
    public void requireCourse(String recorded) {
        Course course = new Course(events);
        course.firstDifference(recorded).ifPresent(turn -> {
            throw new Diverged(
                    turn,
                    course.at(turn)
                            + ", which is not what was recorded: another step, another end of it, or other waits",
                    Optional.empty());
        });
    }
}
