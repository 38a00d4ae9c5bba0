package dev.cerrojo.explorer.search;

/**
 * How many schedules a random search runs, and where its chance comes from: the same seed runs the same schedules, as long as
 * sessions do the same.
 *
 * @param schedules how many, at least 1
 * @param seed the seed
 */
public record Sample(long schedules, long seed) {
    /** Checks the number. */
    public Sample {
        if (schedules < 1) {
            throw new IllegalArgumentException(
                    "the number of random schedules must be at least 1, but was " + schedules);
        }
    }
}
