package dev.cerrojo.lease;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Tries again what somebody else was faster at, for as long as it takes others to end a statement. */
final class BriefRetry {
    private static final int MOST_TRIES = 8;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MOST_DOUBLINGS = 4;

    private BriefRetry() {}

    /** {@return what the first try gave that gave something; empty when none did} */
    static <T> Optional<T> of(Supplier<Optional<T>> attempt) {
        Optional<T> result = attempt.get();
        for (int tries = 1; result.isEmpty() && tries < MOST_TRIES; tries++) {
            LockSupport.parkNanos(FIRST_PAUSE_NANOS << Math.min(tries - 1, MOST_DOUBLINGS));
            result = attempt.get();
        }
        return result;
    }
}
