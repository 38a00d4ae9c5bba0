package dev.cerrojo.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Until when this process may rely on what a store has granted: by the clock that only goes forward, and counted from before the
 * request was sent, so that it is over here before it is over there.
 */
public final class LocalDeadline {
    /** The clocks of two machines do not go equally fast; this share of the time is given away for that. */
    private static final int DRIFT_SHARE = 100;

    private final AtomicLong at;

    private LocalDeadline(long at) {
        this.at = new AtomicLong(at);
    }

    /** {@return the deadline of what was asked for at a {@link System#nanoTime}, and granted for a time} */
    public static LocalDeadline of(long sent, Duration validFor) {
        return new LocalDeadline(at(sent, validFor));
    }

    private static long at(long sent, Duration validFor) {
        long nanos = validFor.toNanos();
        return sent + nanos - nanos / DRIFT_SHARE;
    }

    /** Takes over what was asked for again, if that is later; answers may come in any order. */
    public void extend(long sent, Duration validFor) {
        at.accumulateAndGet(at(sent, validFor), (present, given) -> given - present > 0 ? given : present);
    }

    /** {@return the nanoseconds that are left; negative when it is over} */
    public long left() {
        return at.get() - System.nanoTime();
    }
}
