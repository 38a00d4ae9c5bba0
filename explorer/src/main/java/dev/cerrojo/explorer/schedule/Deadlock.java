package dev.cerrojo.explorer.schedule;

import java.util.List;

/**
 * A cycle of lock waits, and how PostgreSQL ended it.
 *
 * @param waits the members' waits, in the order in which they began
 * @param victim the session whose statement failed with 40P01
 */
public record Deadlock(List<Wait> waits, int victim) {
    /** Copies the waits. */
    public Deadlock {
        waits = List.copyOf(waits);
    }

    /**
     * One member's wait.
     *
     * @param session the session
     * @param step how many steps it had been given before the one that waits: its own count, from 0
     * @param sinceMillis for how long it had waited when the last member's wait began
     */
    public record Wait(int session, int step, long sinceMillis) {}

    /** {@return the session whose wait closed the cycle} */
    public int closer() {
        return waits.get(waits.size() - 1).session();
    }
}
