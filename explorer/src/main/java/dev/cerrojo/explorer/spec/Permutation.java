package dev.cerrojo.explorer.spec;

import java.util.List;

/**
 * An order of steps that a file lists.
 *
 * @param steps the steps, in order; not all of the file's need be there
 * @param line where it stands
 */
public record Permutation(List<Entry> steps, int line) {
    /** Copies the steps. */
    public Permutation {
        steps = List.copyOf(steps);
    }

    /**
     * A step of it.
     *
     * @param step the step's name
     * @param markers when it may be reported as complete
     */
    public record Entry(String step, List<Marker> markers) {
        /** Copies the markers. */
        public Entry {
            markers = List.copyOf(markers);
        }
    }

    /** Holds back the report that a step is complete, so that the output does not depend on timing. */
    public sealed interface Marker {
        /** {@code *}: it is reported as waiting first, whether it waits or not. */
        record Always() implements Marker {}

        /** {@code other}: not while another step runs or waits. */
        record After(String step) implements Marker {}

        /** {@code other notices N}: not before the session of another step has sent so many notices. */
        record Notices(String step, int count) implements Marker {}
    }
}
