package dev.cerrojo.explorer.stress;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Works through groups, several at once, each lane with connections of its own for all that is in one. */
final class Lanes {
    private static final int MOST = 4;
    private static final int MOST_CONNECTIONS = 16;

    private final String url;
    private final int width;
    private final Work work;
    private final Queue<List<Integer>> piles;
    private final ExecutorService threads;

    /** Tells what is done at once in a group. */
    @FunctionalInterface
    interface Work {
        List<Runnable> of(int group, List<OneConnection> connections);
    }

    private Lanes(String url, int width, Work work, Collection<List<Integer>> piles, ExecutorService threads) {
        this.url = url;
        this.width = width;
        this.work = work;
        this.piles = new ConcurrentLinkedQueue<>(piles);
        this.threads = threads;
    }

    /**
     * Works through them.
     *
     * @param piles the numbers of groups: those of one pile are worked through one after another
     * @param width how many things are done at once in a group, at most
     * @return how many are done at once, at most
     */
    static int run(String url, Collection<List<Integer>> piles, int width, Work work) throws SQLException {
        int lanes = Math.max(1, Math.min(Math.min(MOST, piles.size()), MOST_CONNECTIONS / width));
        ExecutorService threads = Executors.newFixedThreadPool(lanes * (width + 1), task -> {
            Thread thread = new Thread(task, "cerrojo-operation");
            thread.setDaemon(true);
            return thread;
        });
        try {
            new Lanes(url, width, work, piles, threads).run(lanes);
            return lanes * width;
        } finally {
            threads.shutdownNow();
        }
    }

    private void run(int lanes) throws SQLException {
        List<Future<?>> running = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            running.add(threads.submit(() -> {
                lane();
                return true;
            }));
        }
        await(running);
    }

    private void lane() throws SQLException {
        List<OneConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < width; i++) {
                connections.add(new OneConnection(url));
            }
            for (@Nullable List<Integer> pile = piles.poll(); pile != null; pile = piles.poll()) {
                for (int group : pile) {
                    await(work.of(group, connections).stream()
                            .<Future<?>>map(threads::submit)
                            .toList());
                }
            }
        } finally {
            for (OneConnection connection : connections) {
                connection.close();
            }
        }
    }

    /** Waits for all, and only then says what failed. */
    private static void await(List<? extends Future<?>> running) throws SQLException {
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
