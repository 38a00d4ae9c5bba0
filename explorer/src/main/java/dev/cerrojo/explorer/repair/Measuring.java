package dev.cerrojo.explorer.repair;

import java.time.Duration;

/**
 * How prices are measured.
 *
 * @param clients how many clients run at once; 1 to 16
 * @param scopes over how many scopes calls are spread, where the file can be multiplied; at least as many as clients
 * @param rounds how many rounds of each contender count; 1 or more
 * @param time how long all rounds take together, warming up included; longer than zero. Making databases comes on top
 */
public record Measuring(int clients, int scopes, int rounds, Duration time) {
    /** Each has a connection to each database that is measured. */
    private static final int MOST_CLIENTS = 16;

    private static final int MOST_SCOPES = 100_000;
    private static final Duration SHORTEST_ROUND = Duration.ofMillis(5);

    /** Checks the numbers. */
    public Measuring {
        require(
                clients >= 1 && clients <= MOST_CLIENTS,
                "clients must be 1 to " + MOST_CLIENTS + ", but was " + clients);
        require(
                scopes >= clients && scopes <= MOST_SCOPES,
                "scopes must be " + clients + " (one for each client) to " + MOST_SCOPES + ", but was " + scopes);
        require(rounds >= 1, "rounds must be 1 or more, but was " + rounds);
        require(!time.isZero() && !time.isNegative(), "time must be longer than PT0S, but was " + time);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** {@return 8 clients, 1,000 scopes, and 7 seconds} */
    public static Measuring standard() {
        return new Measuring(8, 1_000, 5, Duration.ofSeconds(7));
    }

    /** {@return how long a round is, so that all of them take the time together} */
    Duration round(int contenders, int loads) {
        Duration round = time.dividedBy((long) contenders * loads * (rounds + 1));
        return round.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : round;
    }
}
