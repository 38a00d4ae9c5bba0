package dev.cerrojo.explorer.stress;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Works through groups, several at once, each with connections of its own for all that is in it. */
final class Lanes {
    private static final int MOST = 4;
    private static final int MOST_CONNECTIONS = 16;

    private Lanes() {}

    /** Tells what is done at once in a group. */
    @FunctionalInterface
    interface Work {
        List<Runnable> of(int group, List<OneConnection> connections);
    }

    static void run(String url, int groups, int width, Work work) throws SQLException {
        int lanes = Math.max(1, Math.min(MOST, MOST_CONNECTIONS / width));
        ExecutorService threads = Executors.newFixedThreadPool(lanes * (width + 1), task -> {
            Thread thread = new Thread(task, "cerrojo-operation");
            thread.setDaemon(true);
            return thread;
        });
        try {
            AtomicInteger next = new AtomicInteger();
            List<Future<?>> running = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                running.add(threads.submit(() -> {
                    lane(url, groups, width, work, next, threads);
                    return true;
                }));
            }
            await(running);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void lane(String url, int groups, int width, Work work, AtomicInteger next, ExecutorService threads)
            throws SQLException {
        List<OneConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < width; i++) {
                connections.add(new OneConnection(url));
            }
            for (int group = next.getAndIncrement(); group < groups; group = next.getAndIncrement()) {
                List<Future<?>> running = new ArrayList<>();
                work.of(group, connections).forEach(task -> running.add(threads.submit(task)));
                await(running);
            }
        } finally {
            for (OneConnection connection : connections) {
                connection.close();
            }
        }
    }

    /** Waits for all, and only then says what failed. */
    private static void await(List<Future<?>> running) throws SQLException {
        SQLException failure = null;
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException failed) {
                failure = failed.getCause() instanceof SQLException sql
                        ? sql
                        : new SQLException("an operation could not be run: " + failed.getCause(), failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted while operations ran", interrupted);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
