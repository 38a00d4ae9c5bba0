package dev.cerrojo.explorer.schedule;

/** What one session does. */
@FunctionalInterface
public interface SessionProgram {
    /**
     * Runs the session once, from its start, with every step behind the gate.
     *
     * @param gate the session's gate
     * @return what it ended with
     */
    Outcome run(Gate gate);
}
