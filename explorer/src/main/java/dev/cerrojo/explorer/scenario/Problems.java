package dev.cerrojo.explorer.scenario;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The problems found in a file so far; the same problem counts once. */
final class Problems {
    private static final int MOST = 100;

    private final String file;
    private final Set<Problem> found = new LinkedHashSet<>();

    Problems(String file) {
        this.file = file;
    }

    void add(Position at, String message) {
        if (found.size() < MOST) {
            found.add(new Problem(file, at, message));
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new ScenarioException(List.copyOf(found));
        }
    }
}
