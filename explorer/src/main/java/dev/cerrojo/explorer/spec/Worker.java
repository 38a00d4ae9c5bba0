package dev.cerrojo.explorer.spec;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;

/** A session's connection, and the thread on which its queries run while others go on. */
final class Worker implements AutoCloseable {
    private final String session;
    private final SpecConnection connection;
    private final Queue<String> notices = new ConcurrentLinkedQueue<>();
    private final ExecutorService thread;
    private @Nullable Future<Answer> query;
    private int noticesSeen;

    Worker(String session, String url) throws SQLException {
        this.session = session;
        this.connection = new SpecConnection(url);
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "cerrojo-listed-" + session);
            made.setDaemon(true);
            return made;
        });
    }

    String session() {
        return session;
    }

    int backend() {
        return connection.backend();
    }

    /** Sends a query; the answer comes later. */
    void send(String sql) {
        query = thread.submit(() -> connection.execute(sql, notices::add));
    }

    boolean isDone() {
        return query == null || query.isDone();
    }

    /** {@return whether the query ended, within so long} */
    boolean awaitDone(long millis) {
        if (query == null) {
            return true;
        }
        try {
            query.get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a session's query ran", e);
        }
    }

    /** {@return what was answered to the query that is done} */
    Answer answer() {
        Future<Answer> done = query;
        query = null;
        if (done == null) {
            throw new IllegalStateException("no query was sent");
        }
        try {
            return done.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("a session's query went wrong: " + e.getMessage(), e);
        }
    }

    /** {@return the notices that came since this was last asked} */
    List<String> newNotices() {
        List<String> fresh = new ArrayList<>();
        for (String notice = notices.poll(); notice != null; notice = notices.poll()) {
            fresh.add(notice);
        }
        noticesSeen += fresh.size();
        return fresh;
    }

    int noticesSeen() {
        return noticesSeen;
    }

    List<PGNotification> notifications() {
        return connection.notifications();
    }

    /** Ends what is open. Nothing must run. */
    void cleanUp() {
        if (!connection.isClosed()) {
            connection.cleanUp(false);
        }
    }

    boolean isClosed() {
        return connection.isClosed();
    }

    @Override
    public void close() {
        connection.close();
        thread.shutdown();
    }
}
