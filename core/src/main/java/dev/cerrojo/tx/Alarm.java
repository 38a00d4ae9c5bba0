package dev.cerrojo.tx;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cancels, from the deadline on, the statement that a transaction runs.
 *
 * <p>One timer for the transaction, of the JDK's own: the driver's query timeout would need one for each statement, which costs as
 * much as half a round trip. It cancels again and again until the transaction ends, for a statement may be about to be sent.
 */
final class Alarm implements AutoCloseable {
    private static final Executor A_MOMENT_LATER = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile @Nullable Statement current;
    private volatile boolean closed;

    /** Sets it; without a limit it never rings. */
    void set(Progress progress) {
        progress.remaining().map(Duration::toNanos).ifPresent(left -> {
            // Not whenCompleteAsync: that would wake a thread at the end of each transaction.
            CompletableFuture<?> unused = end.orTimeout(left, TimeUnit.NANOSECONDS)
                    .whenComplete((done, late) -> {
                        if (late != null) {
                            A_MOMENT_LATER.execute(this::ring);
                        }
                    });
        });
    }

    private void ring() {
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
        end.complete(null);
    }
}
