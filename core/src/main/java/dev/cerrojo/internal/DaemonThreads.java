package dev.cerrojo.internal;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes daemons whose names are a prefix and 1, 2, … */
public final class DaemonThreads implements ThreadFactory {
    private final String prefix;
    private final AtomicInteger made = new AtomicInteger();

    /** Makes none yet. */
    public DaemonThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, prefix + made.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
