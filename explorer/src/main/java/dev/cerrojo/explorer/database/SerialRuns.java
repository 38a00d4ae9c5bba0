package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The schedules in which sessions happened to run one after another: what they ended with need not be run again. A search runs
 * all serial orders first.
 */
final class SerialRuns {
    /** All sessions, in the order in which they ran → what was seen. */
    private final Map<List<Integer>, Seen> runs = new LinkedHashMap<>();

    /** The orders that were run twice and ended alike. */
    private final Set<List<Integer>> repeated = new HashSet<>();

    /** Keeps a run, if it is serial, nobody waited in it, and no fault befell anybody. */
    void add(Trace trace, Seen seen) {
        List<Integer> order = new ArrayList<>();
        for (Choice choice : trace.schedule().choices()) {
            if (order.isEmpty() || order.get(order.size() - 1) != choice.session()) {
                order.add(choice.session());
            }
        }
        boolean serial =
                order.size() == seen.sessions().size() && Set.copyOf(order).size() == order.size();
        if (serial
                && !trace.waited()
                && !trace.deadlocked()
                && !trace.schedule().hasFaults()) {
            Seen before = runs.putIfAbsent(order, seen);
            if (before != null && before.key().equals(seen.key())) {
                repeated.add(order);
            }
        }
    }

    /** {@return whether these turns were run twice and ended alike} */
    boolean isRepeated(List<Turn> turns) {
        return repeated.stream()
                .anyMatch(order ->
                        turns(order, Objects.requireNonNull(runs.get(order))).equals(turns));
    }

    /** {@return what these turns are known to end with; nothing when some order must be run to tell} */
    Optional<Seen> of(List<Turn> turns) {
        return runs.entrySet().stream()
                .filter(run -> turns(run.getKey(), run.getValue()).equals(turns))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static List<Turn> turns(List<Integer> order, Seen seen) {
        return order.stream()
                .map(session -> new Turn(session, seen.sessions().get(session).units()))
                .filter(turn -> !turn.units().isEmpty())
                .toList();
    }

    /** {@return whether it is known that these turns cannot be: a session does not commit what it is to, in that order} */
    boolean excludes(List<Turn> turns) {
        List<Integer> order = turns.stream().map(Turn::session).toList();
        return runs.entrySet().stream()
                .filter(run -> run.getKey().subList(0, order.size()).equals(order))
                .anyMatch(run -> lacksOne(run.getValue(), turns));
    }

    private static boolean lacksOne(Seen seen, List<Turn> turns) {
        for (Turn turn : turns) {
            CommittedWork work = seen.sessions().get(turn.session());
            if (!work.units().equals(turn.units())) {
                // what comes of a second attempt, only running it can tell
                return work.isOfOneAttempt(turn.units()) && !work.units().containsAll(turn.units());
            }
        }
        return false;
    }
}
