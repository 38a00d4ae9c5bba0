package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.Trace;
import java.util.List;
import java.util.Optional;

/** Sees to it that a replay followed its schedule to the end, and no further. */
final class Replayed {
    private Replayed() {}

    /**
     * Compares what ran with what was to run.
     *
     * @throws Diverged if what ran is longer; a replay itself sees to the rest
     */
    static void compare(Schedule wanted, Trace trace) {
        List<ChoicePoint> points = trace.points();
        int length = wanted.choices().size();
        if (points.size() > length) {
            throw new Diverged(length, "the schedule ends here, but " + shown(points.get(length)), Optional.empty());
        }
    }

    private static String shown(ChoicePoint point) {
        char letter = Choice.letter(point.taken().session());
        return point.step()
                .map(step -> "session " + letter + " still does \"" + step.sql() + "\"")
                .orElse("a deadlock follows, of which " + letter + " is a victim");
    }
}
