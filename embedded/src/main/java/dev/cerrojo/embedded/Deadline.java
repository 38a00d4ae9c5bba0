package dev.cerrojo.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a state. */
final class Deadline {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Deadline() {}

    /** A state that is looked at again and again. */
    interface State {
        boolean reached() throws IOException;
    }

    /**
     * Waits until a state is reached.
     *
     * @param what must happen, for the message
     * @throws EmbeddedPostgresException when it does not within half a minute, or the thread is interrupted
     */
    static void await(String what, State state) throws IOException {
        long start = System.nanoTime();
        while (!state.reached()) {
            if (System.nanoTime() - start > LIMIT.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new EmbeddedPostgresException(
                        "%s, but has not within %s: look at the server's log".formatted(what, LIMIT));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
