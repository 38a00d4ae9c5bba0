package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.serial.Observation;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The schedules in which all sessions happened to run one after another: what they ended with need not be run again. A search runs
 * all serial orders first.
 */
final class SerialSchedules {
    private final Map<List<Turn>, Observation> known = new HashMap<>();

    /** Keeps what was seen, if nobody waited and something of every session took effect. */
    void add(Trace trace, Observation seen) {
        List<Integer> order = order(trace);
        boolean serial =
                order.size() == seen.parts().size() && Set.copyOf(order).size() == order.size();
        if (serial && !trace.waited() && !trace.deadlocked()) {
            List<Turn> turns = order.stream()
                    .map(session -> new Turn(session, seen.parts().get(session).units()))
                    .toList();
            if (turns.stream().noneMatch(turn -> turn.units().isEmpty())) {
                known.putIfAbsent(turns, seen);
            }
        }
    }

    /** {@return who came after whom, each as often as it was its turn again} */
    private static List<Integer> order(Trace trace) {
        List<Integer> order = new ArrayList<>();
        for (Choice choice : trace.schedule().choices()) {
            if (order.isEmpty() || order.get(order.size() - 1) != choice.session()) {
                order.add(choice.session());
            }
        }
        return order;
    }

    /** {@return what these turns ended with; nothing when they must be run to tell} */
    Optional<Observation> of(List<Turn> turns) {
        return Optional.ofNullable(known.get(turns));
    }
}
