package dev.cerrojo.explorer.scenario;

/**
 * What may befall the clients of a run.
 *
 * @param crash at most so many crashes: the client dies between two of its steps
 * @param lostAnswer at most so many lost answers: a COMMIT is done, and the client never learns of it
 * @param clientRetries whether a session is run again from its beginning after a fault, as a real client would
 */
public record Faults(int crash, int lostAnswer, boolean clientRetries) {
    /** Nothing befalls anybody. */
    public static final Faults NONE = new Faults(0, 0, false);

    /** {@return whether anything can happen} */
    public boolean any() {
        return crash > 0 || lostAnswer > 0;
    }
}
