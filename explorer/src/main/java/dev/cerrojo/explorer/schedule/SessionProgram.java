package dev.cerrojo.explorer.schedule;

import java.util.Optional;

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

    /**
     * Tells what the session waits for outside of PostgreSQL, such as a lock in Java that another session holds. Asked between
     * two steps, from another thread, again and again.
     *
     * @return what and of whom, in words; empty while it runs, and when it will go on by itself
     */
    default Optional<String> waitsOutside() {
        return Optional.empty();
    }

    /**
     * Is told, from another thread and more than once, that the run was given up: to wait for others is in vain now, and what
     * comes of its last step is no outcome.
     */
    default void giveUp() {}
}
