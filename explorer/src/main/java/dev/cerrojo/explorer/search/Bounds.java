package dev.cerrojo.explorer.search;

import java.time.Duration;

/**
 * Where a search gives up; it is inconclusive then.
 *
 * @param maxSchedules after so many schedules
 * @param timeout after so long
 */
public record Bounds(long maxSchedules, Duration timeout) {
    /** Checks that both are positive. */
    public Bounds {
        if (maxSchedules < 1) {
            throw new IllegalArgumentException("maxSchedules must be at least 1, but was " + maxSchedules);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be positive, but was " + timeout);
        }
    }

    /** {@return the nearer of two bounds, in each respect} */
    public Bounds within(Bounds other) {
        return new Bounds(
                Math.min(maxSchedules, other.maxSchedules),
                timeout.compareTo(other.timeout) < 0 ? timeout : other.timeout);
    }

    /**
     * Takes off the time that has passed.
     *
     * @param nanoTime {@code System.nanoTime()} when it began
     * @return what is left, at least a millisecond
     */
    public Bounds since(long nanoTime) {
        Duration left = timeout.minusNanos(System.nanoTime() - nanoTime);
        Duration least = Duration.ofMillis(1);
        return new Bounds(maxSchedules, left.compareTo(least) < 0 ? least : left);
    }

    /** {@return no bound} */
    public static Bounds none() {
        return new Bounds(Long.MAX_VALUE, Duration.ofDays(365));
    }
}
