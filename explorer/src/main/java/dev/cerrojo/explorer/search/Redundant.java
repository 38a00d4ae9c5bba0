package dev.cerrojo.explorer.search;

/** All that a run could still do is done by other schedules. */
final class Redundant extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Redundant() {
        super("redundant", null, false, false);
    }
}
