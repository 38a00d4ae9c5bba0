package dev.cerrojo.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C, and SIGTERM. The JVM answers them by running its shutdown hooks; ours asks the command to end and gives it time
 * to put away what it made. The exit code stays the signal's: 130 for Ctrl-C.
 */
final class Interruption {
    private static final int PATIENCE_SECONDS = 5;
    private static final int SERVER_ENDS_BEFORE_MILLIS = 200;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Runnable lastResort = () -> {};
    private final CountDownLatch asked = new CountDownLatch(1);

    /** Ends a command that was interrupted. */
    static final class InterruptedCommandException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InterruptedCommandException() {
            super("interrupted");
        }
    }

    void listen() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "cerrojo-interruption"));
    }

    private void end() {
        asked.countDown();
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                lastResort.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sets what is done when the command does not end in time. */
    void lastResort(Runnable action) {
        lastResort = action;
    }

    boolean requested() {
        return asked.getCount() == 0;
    }

    void throwIfRequested() {
        if (requested()) {
            throw new InterruptedCommandException();
        }
    }

    /**
     * Whether a failure comes of the interruption: Ctrl-C reaches the embedded server too, whose end can be seen before the
     * request to end is.
     */
    boolean explains(Failure failure) {
        try {
            return requested()
                    || (failure.exitCode() == ExitCode.ENVIRONMENT
                            && asked.await(SERVER_ENDS_BEFORE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Says that the command has put everything away. */
    void commandEnded() {
        ended.countDown();
    }
}
