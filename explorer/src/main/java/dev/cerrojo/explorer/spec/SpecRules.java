package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.scenario.Nearest;
import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Problem;
import dev.cerrojo.explorer.scenario.ScenarioException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a specification must keep to beyond its grammar. All problems are reported at once. */
final class SpecRules {
    private static final int MOST_SESSIONS = 26;

    private final Spec spec;
    private final List<Problem> problems = new ArrayList<>();

    /** Step → its session. */
    private final Map<String, String> sessions = new HashMap<>();

    SpecRules(Spec spec) {
        this.spec = spec;
    }

    void check() {
        checkSessions();
        for (Permutation permutation : spec.permutations()) {
            permutation.steps().forEach(entry -> check(permutation, entry));
        }
        if (!problems.isEmpty()) {
            throw new ScenarioException(problems);
        }
    }

    private void checkSessions() {
        if (spec.sessions().isEmpty() || spec.sessions().size() > MOST_SESSIONS) {
            add(
                    0,
                    "a specification must have 1 to 26 sessions, but this has "
                            + spec.sessions().size());
        }
        Map<String, Integer> lines = new HashMap<>();
        for (SpecSession session : spec.sessions()) {
            int line = session.steps().get(0).block().at().line();
            if (lines.putIfAbsent(session.name(), line) != null) {
                add(line, "there are two sessions \"" + session.name() + "\"; each must have a name of its own");
            }
            session.steps().forEach(step -> checkStep(session, step));
        }
    }

    private void checkStep(SpecSession session, SpecStep step) {
        String other = sessions.putIfAbsent(step.name(), session.name());
        if (other != null) {
            add(
                    step.block().at().line(),
                    "there are two steps \"" + step.name() + "\", the first in session \"" + other
                            + "\"; each must have a name of its own");
        }
    }

    private void check(Permutation permutation, Permutation.Entry entry) {
        if (!sessions.containsKey(entry.step())) {
            add(permutation.line(), "there is no step \"" + entry.step() + "\"" + meant(entry.step()));
        }
        for (Permutation.Marker marker : entry.markers()) {
            String other = waitedFor(marker);
            if (other != null) {
                check(permutation, entry, other);
            }
        }
    }

    private static @Nullable String waitedFor(Permutation.Marker marker) {
        if (marker instanceof Permutation.Marker.After after) {
            return after.step();
        }
        return marker instanceof Permutation.Marker.Notices notices ? notices.step() : null;
    }

    private void check(Permutation permutation, Permutation.Entry entry, String other) {
        String step = "the step \"" + entry.step() + "\"";
        if (permutation.steps().stream().noneMatch(any -> any.step().equals(other))) {
            add(permutation.line(), step + " waits for \"" + other + "\", which must be in the same permutation");
        } else if (sessions.get(other) != null && sessions.get(other).equals(sessions.get(entry.step()))) {
            add(permutation.line(), step + " waits for \"" + other + "\", which must be of another session");
        }
    }

    private String meant(String step) {
        return Nearest.to(step, List.copyOf(sessions.keySet()))
                .map(near -> "; did you mean \"" + near + "\"?")
                .orElse("; steps are " + String.join(", ", new java.util.TreeSet<>(sessions.keySet())));
    }

    private void add(int line, String message) {
        problems.add(new Problem(spec.file(), new Position(line, ""), message));
    }
}
