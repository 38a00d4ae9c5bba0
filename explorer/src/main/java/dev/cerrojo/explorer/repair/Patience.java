package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.search.Bounds;
import java.time.Duration;

/**
 * The time that several searches may take together. Each gets an equal part of what is left when it begins, so that one that
 * is never done does not take the time of all others. Used by several threads.
 */
final class Patience {
    private final Bounds bounds;
    private final int atOnce;
    private final long started = System.nanoTime();
    private int waiting;

    /**
     * Begins to count.
     *
     * @param bounds of all together in time, and of each in schedules
     * @param searches how many there will be
     * @param atOnce how many of them go on at the same time
     */
    Patience(Bounds bounds, int searches, int atOnce) {
        this.bounds = bounds;
        this.atOnce = atOnce;
        this.waiting = searches;
    }

    /** {@return the part of the search that begins now} */
    synchronized Bounds next() {
        Bounds left = left();
        int others = Math.max(1, waiting--);
        Duration part = left.timeout().multipliedBy(Math.min(atOnce, others)).dividedBy(others);
        return left.within(new Bounds(Long.MAX_VALUE, part.isZero() ? Duration.ofNanos(1) : part));
    }

    /** {@return all that is left} */
    Bounds left() {
        return bounds.since(started);
    }
}
