package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Deadlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first choices of a schedule: a node of the tree of schedules, known by its parent.
 *
 * @param parent the choices before; null for the first
 * @param choice the choice
 * @param sql what the session that got the turn was seen to do before, when it was seen
 * @param deadlock the deadlock whose victim this chooses, if it does
 * @param forced whether the victim is another than PostgreSQL chose by itself
 */
record Path(
        @Nullable Path parent,
        Choice choice,
        @Nullable String sql,
        @Nullable Deadlock deadlock,
        boolean forced) {
    static Path taken(@Nullable Path parent, ChoicePoint point) {
        return new Path(
                parent,
                point.taken(),
                point.step().map(step -> step.sql()).orElse(null),
                point.deadlock().orElse(null),
                false);
    }

    static Path instead(@Nullable Path parent, ChoicePoint point, int option) {
        return point.deadlock().isPresent()
                ? new Path(
                        parent,
                        new Choice.Victim(option),
                        null,
                        point.deadlock().orElseThrow(),
                        true)
                : new Path(parent, Choice.turn(option), null, null, false);
    }

    static List<Path> list(@Nullable Path last) {
        List<Path> path = new ArrayList<>();
        for (Path node = last; node != null; node = node.parent()) {
            path.add(node);
        }
        Collections.reverse(path);
        return path;
    }
}
