package dev.cerrojo.explorer.serial;

import java.util.List;

/**
 * What one session committed.
 *
 * @param units which units of its program took effect, ascending: whatever whoever runs the program counts, such as
 *     transactions or steps. None when all that it did was undone, so that it must be as if it had not run
 * @param readings what it read in them, in order
 */
public record Part(List<Integer> units, List<Reading> readings) {
    /** A session that took no effect. */
    public static final Part NONE = new Part(List.of(), List.of());

    /** Copies the lists. */
    public Part {
        units = List.copyOf(units);
        readings = List.copyOf(readings);
    }

    /**
     * What a session was told.
     *
     * @param place who and where in its program, for people; no two readings of a run have the same
     * @param rows what it was told
     */
    public record Reading(String place, Rows rows) {}
}
