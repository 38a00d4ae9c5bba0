package dev.cerrojo.explorer.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks again and again how many clients wait for a lock, on a thread and a connection of its own. Of the time that calls take,
 * the share of samples that wait is the share that they wait.
 */
public final class LockSamples implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMillis(4);

    private static final String WAITING =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND wait_event_type = 'Lock'";

    private final Connection connection;
    private final PreparedStatement waiting;
    private final Thread thread;
    private volatile @Nullable Watched watched;
    private volatile boolean closed;

    private LockSamples(Connection connection) throws SQLException {
        this.connection = connection;
        this.waiting = connection.prepareStatement(WAITING);
        this.thread = new Thread(this::look, "cerrojo-lock-samples");
        thread.setDaemon(true);
    }

    /**
     * Begins to look.
     *
     * @param server where
     * @return who looks, until closed
     * @throws SQLException if the server cannot be reached
     */
    public static LockSamples of(Server server) throws SQLException {
        Connection connection = server.connect();
        try {
            LockSamples samples = new LockSamples(connection);
            samples.thread.start();
            return samples;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** What was seen of the clients of one contender. Safe to use from several threads. */
    public static final class Watched {
        private final String database;
        private final AtomicInteger running = new AtomicInteger();
        private long seenRunning;
        private long seenWaiting;

        /**
         * Before anything was seen.
         *
         * @param database the database that they work in
         */
        public Watched(String database) {
            this.database = database;
        }

        /** A client begins a call. */
        public void begin() {
            running.incrementAndGet();
        }

        /** A client has ended a call. */
        public void end() {
            running.decrementAndGet();
        }

        private synchronized void seen(int inCalls, int waitingForLocks) {
            seenRunning += inCalls;
            seenWaiting += Math.min(inCalls, waitingForLocks);
        }

        /** {@return the share of the time of calls that they waited for locks, 0 to 1; 0 when nothing was seen} */
        public synchronized double share() {
            return seenRunning == 0 ? 0 : (double) seenWaiting / seenRunning;
        }

        /** Forgets what was seen. */
        public synchronized void forget() {
            seenRunning = 0;
            seenWaiting = 0;
        }
    }

    /** Looks from now on at the clients of another contender. */
    public void watch(Watched other) {
        watched = other;
    }

    private void look() {
        while (!closed) {
            LockSupport.parkNanos(EVERY.toNanos());
            Watched now = watched;
            int running = now == null ? 0 : now.running.get();
            if (now != null && running > 0) {
                try {
                    now.seen(running, waitingIn(now.database));
                } catch (SQLException e) {
                    return; // the server is gone: the clients tell why
                }
            }
        }
    }

    private int waitingIn(String database) throws SQLException {
        waiting.setString(1, database);
        try (ResultSet row = waiting.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Looks no more. */
    @Override
    public void close() throws SQLException {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Duration.ofSeconds(5).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connection.close();
    }
}
