package dev.cerrojo.tx;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cancels, from the deadline on, the statement that a transaction runs.
 *
 * <p>{@link Alarms} looks after all of them: the driver's query timeout would need a timer for each statement, which costs as much as
 * half a round trip. It cancels again and again until the transaction ends, for a statement may be about to be sent.
 */
final class Alarm implements AutoCloseable {
    private static final Executor A_MOMENT_LATER = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

    private final Alarms all;
    private long time;
    private volatile @Nullable Statement current;
    private volatile boolean closed;

    Alarm(Alarms all) {
        this.all = all;
    }

    /** Sets it; without a limit it never rings. */
    void set(Progress progress) {
        progress.remaining().ifPresent(left -> {
            time = System.nanoTime() + TimeUnit.NANOSECONDS.convert(left);
            all.add(this);
        });
    }

    /** {@return whether it is to ring at a time of {@link System#nanoTime}} */
    boolean isDue(long now) {
        return now - time >= 0;
    }

    void ring() {
        if (closed) {
            return;
        }
        try {
            Statement running = current;
            if (running != null) {
                // Does nothing, in the driver, to a statement that does not run.
                running.cancel();
            }
        } catch (SQLException | RuntimeException notThisTime) {
            System.getLogger(Transactions.class.getName())
                    .log(System.Logger.Level.DEBUG, "a statement could not be cancelled at its deadline", notThisTime);
        }
        A_MOMENT_LATER.execute(this::ring);
    }

    /** Tells which statement is about to be sent. */
    void watch(Statement statement) {
        current = statement;
    }

    @Override
    public void close() {
        closed = true;
        current = null;
        all.remove(this);
    }
}
