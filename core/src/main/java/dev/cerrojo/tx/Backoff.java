package dev.cerrojo.tx;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long is waited between attempts: a random time from nothing up to a limit that doubles with each attempt.
 *
 * <p>Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015: full jitter needs the fewest calls
 * of all the ways to keep many clients from meeting again.
 *
 * @param base the limit before the second attempt
 * @param cap what the limit grows to
 */
record Backoff(Duration base, Duration cap) {
    private static final int MOST_DOUBLINGS = 30;

    /** {@return the limit of the wait after so many attempts} */
    Duration limit(int attempts) {
        Duration grown = base.multipliedBy(1L << Math.min(attempts - 1, MOST_DOUBLINGS));
        return grown.compareTo(cap) < 0 ? grown : cap;
    }

    Duration random(int attempts) {
        return Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(limit(attempts).toNanos() + 1));
    }
}
