package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Move;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A moment of the tree of schedules at which a session was given the turn, and what is known of the turns it can give. */
final class Node {
    /** The moment before this one in the same schedule; null at the start. */
    final @Nullable Node parent;

    /** The choices that lead here. */
    final @Nullable Path path;

    /** How many choices lead here, victims included. */
    final int position;

    final ChoicePoint point;
    final int preemptions;

    /** The turns that need not be given here, since other schedules cover them: option → what it would do. */
    final Map<Integer, Move> asleep;

    /** The turns that were given here, in the order in which they first were. */
    final Map<Integer, Move> given = new LinkedHashMap<>();

    /** The options that are to be taken here, or were. */
    final Set<Integer> planned = new HashSet<>();

    Node(
            @Nullable Node parent,
            @Nullable Path path,
            int position,
            ChoicePoint point,
            int preemptions,
            Map<Integer, Move> asleep) {
        this.parent = parent;
        this.path = path;
        this.position = position;
        this.point = point;
        this.preemptions = preemptions;
        this.asleep = Map.copyOf(asleep);
    }

    /** {@return what need not follow another turn given here: what sleeps already, and what was given before} */
    Map<Integer, Move> asleepBeside() {
        Map<Integer, Move> all = new HashMap<>(asleep);
        all.putAll(given);
        return all;
    }
}
