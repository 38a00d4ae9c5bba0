package dev.cerrojo.explorer.search;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Does several things at once, on threads that end with the work. */
public final class Workers {
    private static final AtomicInteger THREADS = new AtomicInteger();

    private final int number;

    /**
     * Makes workers.
     *
     * @param number how many things are done at once, at least 1; one is done on the caller's thread
     */
    public Workers(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("the number of workers must be at least 1, but was " + number);
        }
        this.number = number;
    }

    /** {@return how many things are done at once} */
    public int number() {
        return number;
    }

    /**
     * What a worker does.
     *
     * @param <T> what comes of it
     */
    @FunctionalInterface
    public interface Task<T> {
        /**
         * Does it.
         *
         * @return what comes of it
         * @throws SQLException if a server cannot do it
         */
        T call() throws SQLException;
    }

    /**
     * Does all tasks. When one fails, those not begun are left out, and the others are interrupted and waited for.
     *
     * @param tasks the tasks, begun in this order
     * @param <T> what comes of each
     * @return what came of them, in the same order
     * @throws SQLException what the first task to fail threw; unchecked exceptions likewise
     */
    public <T> List<T> all(List<Task<T>> tasks) throws SQLException {
        List<T> results = new ArrayList<>();
        if (number == 1 || tasks.size() < 2) {
            for (Task<T> task : tasks) {
                results.add(task.call());
            }
            return results;
        }
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(number, tasks.size()), Workers::thread);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (Task<T> task : tasks) {
                futures.add(threads.submit(task::call));
            }
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw rethrown(Objects.requireNonNull(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while others worked", e);
        } finally {
            threads.shutdownNow();
            awaitEnd(threads);
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "cerrojo-worker-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    private static SQLException rethrown(Throwable cause) {
        if (cause instanceof SQLException e) {
            return e;
        }
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        throw new IllegalStateException(cause);
    }

    /** They use what the caller is about to close. */
    private static void awaitEnd(ExecutorService threads) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (threads.awaitTermination(1, TimeUnit.MINUTES)) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
