package dev.cerrojo.explorer.search;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The threads that help a search, begun one by one as there is more to do. Used by the threads of one search. */
final class HelpingThreads {
    /** Making a database takes as long as some hundred schedules, and the search would wait for it at its end. */
    private static final int ENOUGH_FOR_ONE = 16;

    private static final long SOON_DONE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Helpers helpers;
    private final BiConsumer<Subject, HelpingThreads> work;
    private final Consumer<Throwable> failed;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Begins with none.
     *
     * @param work runs schedules of a subject until there are no more
     * @param failed is told what else ended a thread
     */
    HelpingThreads(Helpers helpers, BiConsumer<Subject, HelpingThreads> work, Consumer<Throwable> failed) {
        this.helpers = helpers;
        this.work = work;
        this.failed = failed;
    }

    /** Begins one more if so many schedules that wait are worth it. */
    synchronized void help(long waiting, long elapsedNanos) {
        if (threads.size() < helpers.most()
                && waiting >= (long) ENOUGH_FOR_ONE * (threads.size() + 1)
                && elapsedNanos > SOON_DONE_NANOS) {
            Thread thread = new Thread(this::lend, "cerrojo-search-helper-" + (threads.size() + 1));
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void lend() {
        try {
            helpers.lend(subject -> work.accept(subject, this));
        } catch (SQLException e) {
            // a server that gives no more databases or connections: the others go on without this one
        } catch (RuntimeException | Error e) {
            failed.accept(e);
        }
    }

    /** Waits until all have ended. */
    void join() {
        boolean interrupted = false;
        for (Thread thread : begun()) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<Thread> begun() {
        return List.copyOf(threads);
    }
}
