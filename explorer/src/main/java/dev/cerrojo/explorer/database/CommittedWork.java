package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * What one run of a session committed, and what it was told in what it committed.
 *
 * <p>Its units are its COMMITs, each known by the step behind which it comes; those of a session's next attempt follow. An
 * attempt that committed nothing is as if it had not been.
 */
final class CommittedWork {
    private final int session;
    private final int unitsPerAttempt;
    private final List<Integer> units = new ArrayList<>();
    private final List<Told> committed = new ArrayList<>();
    private final List<Told> open = new ArrayList<>();
    private int attempt;

    /**
     * Before the session's first step.
     *
     * @param session the session, from 0
     * @param unitsPerAttempt more than the number of any step
     */
    CommittedWork(int session, int unitsPerAttempt) {
        this.session = session;
        this.unitsPerAttempt = unitsPerAttempt;
    }

    /** {@return what a statement is told into, that is about to be run} */
    Told told(int step, Step.Statement statement) {
        return new Told(session, attempt, step, statement.sql().text());
    }

    /** A statement was run in the open transaction. */
    void add(Told told) {
        open.add(told);
    }

    /** The open transaction was committed; or, of a statement by itself, that statement alone. */
    void committed(int unit, List<Told> what) {
        units.add(attempt * unitsPerAttempt + unit);
        committed.addAll(what);
    }

    /** The open transaction was committed. */
    void committed(int unit) {
        committed(unit, List.copyOf(open));
        open.clear();
    }

    /** The open transaction was undone. */
    void undone() {
        open.clear();
    }

    /** The session begins again. */
    void nextAttempt() {
        open.clear();
        if (!units.isEmpty() && units.get(units.size() - 1) >= attempt * unitsPerAttempt) {
            attempt++;
        }
    }

    /** {@return the last unit of each attempt that some units are of, as its own step counts} */
    static List<Integer> lastOfAttempts(List<Integer> units, int unitsPerAttempt) {
        List<Integer> last = new ArrayList<>();
        for (int unit : units) {
            int attempt = unit / unitsPerAttempt;
            if (attempt == last.size()) {
                last.add(unit % unitsPerAttempt);
            } else {
                last.set(attempt, unit % unitsPerAttempt);
            }
        }
        return last;
    }

    /** {@return whether some units of the same session are all of its first attempt} */
    boolean isOfOneAttempt(List<Integer> some) {
        return some.stream().allMatch(unit -> unit < unitsPerAttempt);
    }

    List<Integer> units() {
        return List.copyOf(units);
    }

    List<Told> told() {
        return List.copyOf(committed);
    }
}
