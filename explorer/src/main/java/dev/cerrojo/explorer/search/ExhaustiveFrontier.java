package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.ChoicePoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every choice that a run could have made otherwise is a schedule to be run: each schedule is run exactly once. */
final class ExhaustiveFrontier extends Frontier {
    @Override
    PathChooser chooser(Item item) {
        return new PathChooser(item.choices());
    }

    @Override
    boolean expand(Item item, PathChooser chooser, Execution execution) {
        List<ChoicePoint> points = execution.trace().points();
        @Nullable Path path = item.path;
        int preemptions = item.preemptions;
        for (int i = item.length; i < points.size(); i++) {
            ChoicePoint point = points.get(i);
            for (int option : point.options()) {
                if (option != point.taken().option()) {
                    add(
                            Path.instead(path, point, option),
                            i + 1,
                            preemptions + (point.isPreemptedBy(option) ? 1 : 0),
                            point.aborts(),
                            null);
                }
            }
            path = Path.taken(path, point);
            preemptions += point.isPreemptedBy(point.taken().option()) ? 1 : 0;
        }
        return true;
    }
}
