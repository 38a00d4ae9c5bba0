package dev.cerrojo.version;

import java.time.Duration;

/**
 * How long histories are kept.
 *
 * @param versionsKept how many of the newest versions of each entity are never purged; 1 or more
 * @param versionAge how old older ones become
 * @param logAge how old entries of the operation log become
 * @param automatic whether a {@link Versions} purges by itself, at most once an hour
 */
public record Retention(int versionsKept, Duration versionAge, Duration logAge, boolean automatic) {
    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /** Checks each setting. */
    public Retention {
        if (versionsKept < 1) {
            throw new IllegalArgumentException(
                    "versionsKept must be 1 or more, for the newest one is never purged, but was " + versionsKept);
        }
        require("versionAge", versionAge);
        require("logAge", logAge);
    }

    private static void require(String name, Duration age) {
        if (age.compareTo(SHORTEST) < 0 || age.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "%s must be %s to %s, but was %s".formatted(name, SHORTEST, LONGEST, age));
        }
    }

    /** {@return the last 100 versions of each entity and whatever is younger than two years; 90 days of log; by itself} */
    public static Retention defaults() {
        return new Retention(100, Duration.ofDays(730), Duration.ofDays(90), true);
    }

    /** {@return everything, for ever} */
    public static Retention everything() {
        return new Retention(Integer.MAX_VALUE, LONGEST, LONGEST, false);
    }

    /** {@return this with another number of versions that are always kept} */
    public Retention withVersionsKept(int other) {
        return new Retention(other, versionAge, logAge, automatic);
    }

    /** {@return this with another age of versions} */
    public Retention withVersionAge(Duration other) {
        return new Retention(versionsKept, other, logAge, automatic);
    }

    /** {@return this with another age of the log} */
    public Retention withLogAge(Duration other) {
        return new Retention(versionsKept, versionAge, other, automatic);
    }

    /** {@return this, purged by itself or only by {@link Versions#purge}} */
    public Retention withAutomatic(boolean other) {
        return new Retention(versionsKept, versionAge, logAge, other);
    }
}
