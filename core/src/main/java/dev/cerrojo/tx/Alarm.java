package dev.cerrojo.tx;

import dev.cerrojo.internal.Lookout;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cancels, from the deadline on, the statement that a transaction runs.
 *
 * <p>The driver's query timeout would need a timer for each statement, which costs as much as half a round trip. It cancels again and
 * again until the transaction ends, for a statement may be about to be sent.
 */
final class Alarm implements Lookout.Due, AutoCloseable {
    /** For those of all transactions; it rests after 5 s without any. */
    private static final Lookout ALL = new Lookout(CompletableFuture.delayedExecutor(25, TimeUnit.MILLISECONDS), 200);

    private static final Executor A_MOMENT_LATER = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

    private long time;
    private volatile @Nullable Statement current;
    private volatile boolean closed;

    /** Sets it; without a limit it never rings. */
    void set(Progress progress) {
        progress.remaining().ifPresent(left -> {
            time = System.nanoTime() + TimeUnit.NANOSECONDS.convert(left);
            ALL.add(this);
        });
    }

    @Override
    public boolean isDue(long now) {
        return now - time >= 0;
    }

    /** Not here: cancelling waits for the network. */
    @Override
    public void ring() {
        ForkJoinPool.commonPool().execute(this::cancel);
    }

    private void cancel() {
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
        A_MOMENT_LATER.execute(this::cancel);
    }

    /** Tells which statement is about to be sent. */
    void watch(Statement statement) {
        current = statement;
    }

    @Override
    public void close() {
        closed = true;
        current = null;
        ALL.remove(this);
    }
}
