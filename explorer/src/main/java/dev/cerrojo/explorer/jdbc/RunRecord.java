package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.search.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/** What is to be known of one run besides its trace. Written by the sessions' threads. */
final class RunRecord {
    /** What sessions did that they should not. */
    private final List<Violation> violations = Collections.synchronizedList(new ArrayList<>());

    /** The server connections used, to clean up behind the run. */
    private final Set<BaseConnection> connections = ConcurrentHashMap.newKeySet();

    /** Whether the lock table told too little of some step. */
    volatile boolean hidLocks;

    /** Whether some statement could tell when its transaction began. */
    volatile boolean toldBeginning;

    /** Whether a transaction was begun by a BEGIN of its own, ahead of its first statement. */
    volatile boolean beganAhead;

    /** Whether a session waited for another outside of PostgreSQL. */
    volatile boolean waitedOutside;

    volatile boolean serializable;

    /** What was less than every statement a step, in words. */
    private final Set<String> coarse = ConcurrentHashMap.newKeySet();

    /** Whether something was left on a connection that a transaction's end does not undo. */
    volatile boolean outlived;

    private volatile long activeAt = System.nanoTime();
    private volatile @Nullable String impossible;

    /** Notes that a session has done something, which may let another go on. */
    void active() {
        activeAt = System.nanoTime();
    }

    long activeAt() {
        return activeAt;
    }

    void violated(Violation violation) {
        violations.add(violation);
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    /** Notes that the verdict must say something of its granularity. */
    void coarse(String what) {
        coarse.add(what);
    }

    Set<String> coarse() {
        return coarse;
    }

    void used(BaseConnection connection) {
        connections.add(connection);
    }

    Set<BaseConnection> connections() {
        return connections;
    }

    /** Notes why this cannot be explored; the first reason counts. */
    void impossible(String reason) {
        if (impossible == null) {
            impossible = reason;
        }
    }

    Optional<String> impossible() {
        return Optional.ofNullable(impossible);
    }

    void foreign(String thread, String sql) {
        impossible("the thread \"" + thread + "\", which is no session's, ran \"" + BoundValues.shortened(sql)
                + "\" while sessions ran: no order of the sessions' steps tells when that happens. Run on the session's own"
                + " thread what it starts on others (a synchronous executor), and let nothing else use the data source"
                + " meanwhile");
    }
}
