package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.ChoicePoint;
import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.Trace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers what sessions did after each beginning of a schedule. Code that does another step after the same beginning keeps
 * state that is not put back, or asks the clock, or chance. Other values than before are no other step: keys and times are made
 * anew in each run.
 */
final class Determinism {
    /** Beyond this, what is new is not remembered any more. */
    private static final int MOST = 300_000;

    /** Of choices, by a hash of all of them. */
    private final Map<Long, String> steps = new HashMap<>();

    /**
     * Compares a run with those before.
     *
     * @throws Diverged if a session did another step than before
     */
    void check(Trace trace) {
        long beginning = 1;
        List<ChoicePoint> points = trace.points();
        for (int i = 0; i < points.size(); i++) {
            Choice taken = points.get(i).taken();
            beginning = beginning * 1_000_003 + taken.option() * 2L + (taken instanceof Choice.Victim ? 1 : 2);
            if (points.get(i).step().isPresent()) {
                compare(i, beginning, taken, points.get(i).step().orElseThrow());
            }
        }
    }

    private void compare(int position, long beginning, Choice taken, StepInfo step) {
        String did = step.sql();
        String before = steps.size() < MOST ? steps.putIfAbsent(beginning, did) : steps.get(beginning);
        if (before != null && !before.equals(did)) {
            throw new Diverged(
                    position,
                    "session " + Choice.letter(taken.session()) + " does \"" + did + "\", where it did \"" + before
                            + "\" before",
                    Optional.empty());
        }
    }
}
