package dev.cerrojo.explorer.stress;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A point at which operations wait for each other, so that they overlap there: each goes on when every other one has come, has
 * ended, or cannot come because it waits for a lock. Who has come once counts as come.
 */
final class Meeting {
    private static final int COMING = 0;
    private static final int COME = -1;
    private static final long LONGEST_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

    private final LockWaits locks;

    /** Of each party {@link #COME}, or the backend by which it is coming; {@link #COMING} before it has one. */
    private final AtomicIntegerArray parties;

    Meeting(int parties, LockWaits locks) {
        this.parties = new AtomicIntegerArray(parties);
        this.locks = locks;
    }

    /** Tells by which backend a party works. */
    void joins(int party, int backend) {
        parties.compareAndSet(party, COMING, backend);
    }

    /** Tells that a party has come, or never will. */
    void comes(int party) {
        parties.set(party, COME);
    }

    /** Waits for the others; not for ever, since they may be busy with something that nobody thought of. */
    void await(int party) throws SQLException {
        comes(party);
        long begun = System.nanoTime();
        while (!isComplete() && System.nanoTime() - begun < LONGEST_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private boolean isComplete() throws SQLException {
        for (int i = 0; i < parties.length(); i++) {
            int state = parties.get(i);
            if (state == COMING || (state != COME && !locks.waits(state))) {
                return false;
            }
        }
        return true;
    }
}
