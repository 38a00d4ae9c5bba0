package dev.cerrojo.explorer.schedule;

import java.util.Optional;

/** A schedule that was to be followed went another way. The run is given up; the sessions are ended. */
public final class Diverged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;
    private final transient Optional<Deadlock> deadlock;
    private final boolean byAnotherStep;

    /**
     * Says where and how.
     *
     * @param position how many choices had been followed
     * @param message what was wanted and what was seen
     * @param deadlock the deadlock whose victim was another than wanted, if that is the reason
     */
    public Diverged(int position, String message, Optional<Deadlock> deadlock) {
        this(position, message, deadlock, false);
    }

    private Diverged(int position, String message, Optional<Deadlock> deadlock, boolean byAnotherStep) {
        super("diverged at step " + (position + 1) + ": " + message);
        this.position = position;
        this.deadlock = deadlock;
        this.byAnotherStep = byAnotherStep;
    }

    /**
     * {@return that a session did another step than the one it did before at the same place of the same schedule}
     *
     * @param position how many choices had been followed
     * @param message which step it did, and which before
     */
    public static Diverged byAnotherStep(int position, String message) {
        return new Diverged(position, message, Optional.empty(), true);
    }

    /** {@return whether a session did another step than before: then it is not deterministic, whatever it does next time} */
    public boolean isByAnotherStep() {
        return byAnotherStep;
    }

    /** {@return how many choices had been followed} */
    public int position() {
        return position;
    }

    /** {@return the deadlock whose victim was another than wanted, if that is the reason} */
    public Optional<Deadlock> deadlock() {
        return deadlock;
    }
}
