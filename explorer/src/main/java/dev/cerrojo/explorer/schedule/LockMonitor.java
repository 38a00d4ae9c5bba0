package dev.cerrojo.explorer.schedule;

import java.util.Collection;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** What PostgreSQL says of its backends' lock waits, asked on a connection apart from all sessions. */
public interface LockMonitor {
    /**
     * Asks who waits for whom.
     *
     * @param backends process ids
     * @return process id → the process ids that it waits for; no entry, or an empty set, when it does not wait
     */
    Map<Integer, Set<Integer>> blockers(Collection<Integer> backends);

    /**
     * Finds the session that owns a backend.
     *
     * @param backend a process id
     * @return the session; empty when the backend is of none
     */
    OptionalInt sessionOf(int backend);

    /**
     * Tells whether a backend holds back sessions at gates inside their statements.
     *
     * @param backend a process id
     * @return false when there are no such gates
     */
    default boolean isGatekeeper(int backend) {
        return false;
    }

    /**
     * Lets a session go on from the gate at which it stands, inside a statement or COMMIT, to the next one.
     *
     * @param session the session
     */
    default void open(int session) {
        throw new UnsupportedOperationException("there are no gates inside of statements");
    }

    /**
     * Asks what backends hold or wait for.
     *
     * @param backends process ids
     * @return process id → relations and advisory keys; no entry when there are none
     */
    Map<Integer, Footprint> footprints(Collection<Integer> backends);

    /**
     * Cancels what a backend is doing.
     *
     * @param backend its process id
     */
    void cancel(int backend);
}
