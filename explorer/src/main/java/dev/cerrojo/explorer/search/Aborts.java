package dev.cerrojo.explorer.search;

/**
 * How often PostgreSQL failed sessions, and whether it had to.
 *
 * @param schedules in how many schedules it failed a session
 * @param needed in how many of those, at SERIALIZABLE, 40001 was needed: the same order at REPEATABLE READ is anomalous
 * @param unneeded in how many it was not: the same order at REPEATABLE READ is fine
 * @param alike in how many the same order at REPEATABLE READ fails with 40001 too: two sessions wrote the same row
 */
public record Aborts(long schedules, long needed, long unneeded, long alike) {
    /** No aborts. */
    public static final Aborts NONE = new Aborts(0, 0, 0, 0);

    /**
     * Adds.
     *
     * @param other other schedules
     * @return both together
     */
    public Aborts with(Aborts other) {
        return new Aborts(
                schedules + other.schedules, needed + other.needed, unneeded + other.unneeded, alike + other.alike);
    }
}
