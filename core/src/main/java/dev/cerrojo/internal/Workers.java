package dev.cerrojo.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that renew what is held for a time: one that keeps time and never waits for a store, and a few that ask the store. After
 * {@link #close} nothing is begun any more.
 */
public final class Workers implements AutoCloseable {
    private static final int MOST_AT_THE_STORE = 8;
    private static final int IDLE_SECONDS = 10;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int EMPTY_LOOKS = 100;

    /** So long before its time something is due for the lookout; looks may come late. */
    static final long AHEAD_NANOS = 5 * LOOK_NANOS;

    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor store;
    private final Lookout lookout = new Lookout(this::atNextLook, EMPTY_LOOKS);

    /** Makes them; threads are only started when there is something to do. */
    public Workers(ThreadFactory threads) {
        timer = new ScheduledThreadPoolExecutor(1, threads);
        timer.setRemoveOnCancelPolicy(true);
        store = new ThreadPoolExecutor(
                MOST_AT_THE_STORE,
                MOST_AT_THE_STORE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                threads);
        store.allowCoreThreadTimeOut(true);
    }

    /** Has something short done later, by the thread that keeps time. */
    public Future<?> after(long nanos, Runnable task) {
        try {
            return timer.schedule(task, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private void atNextLook(Runnable look) {
        Future<?> unused = after(LOOK_NANOS, look);
    }

    /** {@return what looks for heartbeats that come near, by the thread that keeps time} */
    public Lookout lookout() {
        return lookout;
    }

    /** {@return what runs tasks that ask the store} */
    public Executor store() {
        return task -> {
            try {
                store.execute(task);
            } catch (RejectedExecutionException closed) {
                System.getLogger(Workers.class.getName())
                        .log(System.Logger.Level.DEBUG, "closed, so the store is not asked");
            }
        };
    }

    @Override
    public void close() {
        timer.shutdownNow();
        store.shutdown();
    }
}
