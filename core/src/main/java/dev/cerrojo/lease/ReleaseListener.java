package dev.cerrojo.lease;

import dev.cerrojo.internal.DaemonThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Listens for releases on one connection, while somebody watches and a little longer. When the connection breaks, or the driver cannot
 * tell of notifications, those who watch still ask by themselves from time to time.
 */
final class ReleaseListener implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(250);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long BEFORE_NEXT_CONNECTION_MILLIS = 500;

    private final DataSource dataSource;
    private final ThreadFactory threads = new DaemonThreads("cerrojo-lease-");
    private final Map<String, Map<Object, Runnable>> hints = new ConcurrentHashMap<>();
    private boolean isRunning;
    private volatile boolean isClosed;
    private volatile long lastWatched;

    ReleaseListener(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    ReleaseWatch watch(String entity, Runnable hint) {
        Object key = new Object();
        hints.compute(entity, (name, those) -> {
            Map<Object, Runnable> all = those == null ? new ConcurrentHashMap<>() : those;
            all.put(key, hint);
            return all;
        });
        start();
        return () -> unwatch(entity, key);
    }

    private void unwatch(String entity, Object key) {
        lastWatched = System.nanoTime();
        hints.computeIfPresent(entity, (name, those) -> {
            those.remove(key);
            return those.isEmpty() ? null : those;
        });
    }

    private synchronized void start() {
        lastWatched = System.nanoTime();
        if (!isRunning && !isClosed) {
            isRunning = true;
            threads.newThread(this::listenWhileWatched).start();
        }
    }

    private void listenWhileWatched() {
        while (isNeeded()) {
            try (Connection connection = dataSource.getConnection()) {
                listen(connection);
            } catch (SQLException | RuntimeException e) {
                System.getLogger(Leases.class.getName())
                        .log(System.Logger.Level.DEBUG, "listening for releases broke off, and is taken up again", e);
                pause();
            }
        }
    }

    private synchronized boolean isNeeded() {
        isRunning = isWatched();
        return isRunning;
    }

    private boolean isWatched() {
        return !isClosed && (!hints.isEmpty() || System.nanoTime() - lastWatched < LINGER_NANOS);
    }

    private void pause() {
        try {
            Thread.sleep(BEFORE_NEXT_CONNECTION_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            isClosed = true;
        }
    }

    private void listen(Connection connection) throws SQLException {
        Notifications notifications = Notifications.of(connection)
                .orElseThrow(() -> new SQLException("the driver is not PostgreSQL's, so it cannot tell of releases"));
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        execute(connection, "LISTEN cerrojo_lease");
        try {
            // What was released before is not told.
            hints.values().forEach(ReleaseListener::give);
            while (isWatched()) {
                notifications.await(POLL).forEach(entity -> give(hints.getOrDefault(entity, Map.of())));
            }
        } finally {
            execute(connection, "UNLISTEN cerrojo_lease");
            connection.setAutoCommit(autoCommit);
        }
    }

    private static void give(Map<Object, Runnable> those) {
        those.values().forEach(Runnable::run);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
