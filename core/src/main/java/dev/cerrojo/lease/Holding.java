package dev.cerrojo.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a store has granted, and until when this process may rely on it: by the clock that only goes forward, and counted from before the
 * request was sent, so that it is over here before it is over there.
 */
final class Holding {
    /** The clocks of two machines do not go equally fast; this share of the time is given away for that. */
    private static final int DRIFT_SHARE = 100;

    private final LeaseClaim claim;
    private final long token;
    private final AtomicLong deadline;

    Holding(LeaseClaim claim, long token, long deadline) {
        this.claim = claim;
        this.token = token;
        this.deadline = new AtomicLong(deadline);
    }

    /** {@return the deadline of what was asked for at a {@link System#nanoTime}, and granted for a time} */
    static long deadline(long sent, Duration validFor) {
        long nanos = validFor.toNanos();
        return sent + nanos - nanos / DRIFT_SHARE;
    }

    LeaseClaim claim() {
        return claim;
    }

    long token() {
        return token;
    }

    /** Takes over a later deadline; answers may come in any order. */
    void extend(long later) {
        deadline.accumulateAndGet(later, (present, given) -> given - present > 0 ? given : present);
    }

    /** {@return the nanoseconds that are left; negative when it is over} */
    long left() {
        return deadline.get() - System.nanoTime();
    }
}
