package dev.cerrojo.explorer.tests.versions;

import java.util.concurrent.atomic.AtomicInteger;

/** What services often have: one counter for all threads. The control. */
final class GlobalVersionGuard {
    private final AtomicInteger refCount = new AtomicInteger();

    void disable() {
        refCount.incrementAndGet();
    }

    void enable() {
        refCount.decrementAndGet();
    }

    boolean isEnabled() {
        return refCount.get() == 0;
    }

    void reset() {
        refCount.set(0);
    }
}
