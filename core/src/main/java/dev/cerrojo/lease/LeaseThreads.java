package dev.cerrojo.lease;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes daemons named {@code cerrojo-lease-1} and so on. */
final class LeaseThreads implements ThreadFactory {
    private final AtomicInteger made = new AtomicInteger();

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "cerrojo-lease-" + made.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
