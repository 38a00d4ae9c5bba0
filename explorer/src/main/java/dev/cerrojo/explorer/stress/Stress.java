package dev.cerrojo.explorer.stress;

import java.time.Duration;

/**
 * How much a stress test does.
 *
 * @param operations how many operations: 2 to 10,000. Each is one session of the scenario, in one scope
 * @param scopes over how many scopes they are spread: 1 to 1,000; a scenario that can have only one has one
 */
public record Stress(int operations, int scopes) {
    /** As often as an operation is run at most. */
    public static final int MAX_ATTEMPTS = 10;

    static final Duration BACKOFF_BASE = Duration.ofMillis(1);
    static final Duration BACKOFF_CAP = Duration.ofMillis(20);

    private static final int MOST_OPERATIONS = 10_000;
    private static final int MOST_SCOPES = 1_000;

    /** Checks the numbers. */
    public Stress {
        require("operations", operations, 2, MOST_OPERATIONS);
        require("scopes", scopes, 1, MOST_SCOPES);
    }

    private static void require(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s of a retry test must be %,d to %,d, but was %,d".formatted(what, least, most, value));
        }
    }

    /** {@return 100 operations over 20 scopes} */
    public static Stress standard() {
        return new Stress(100, 20);
    }
}
