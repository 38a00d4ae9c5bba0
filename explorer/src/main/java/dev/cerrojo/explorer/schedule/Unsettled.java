package dev.cerrojo.explorer.schedule;

/** A step neither ended nor waited for one of the other sessions within its deadline. The run is given up. */
public final class Unsettled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what was seen.
     *
     * @param message which session, what it did, and for whom it waited
     */
    public Unsettled(String message) {
        super(message);
    }
}
