package dev.cerrojo.testsupport.process;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a state, with a deadline. */
public final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await() {}

    /**
     * Waits up to half a minute.
     *
     * @param state what is waited for, for the message
     * @param reached asked again and again
     * @throws AssertionError when it is not reached, or the thread is interrupted
     */
    public static void until(String state, BooleanSupplier reached) {
        long start = System.nanoTime();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new AssertionError("not reached within %s: %s".formatted(LIMIT, state));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
