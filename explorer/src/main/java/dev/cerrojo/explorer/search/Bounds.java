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

    /** {@return no bound} */
    public static Bounds none() {
        return new Bounds(Long.MAX_VALUE, Duration.ofDays(365));
    }
}
