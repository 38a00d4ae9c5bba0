package dev.cerrojo.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Tells when it is time again for what is to be done now and then by whoever comes by. Used by any number of threads. */
public final class Interval {
    private final long nanos;
    private final AtomicLong last = new AtomicLong(System.nanoTime());

    /** Makes one that begins now. */
    public Interval(Duration length) {
        this.nanos = length.toNanos();
    }

    /** {@return whether it is over; of those who ask at once one is told so, and the next one begins} */
    public boolean isOver() {
        long now = System.nanoTime();
        long before = last.get();
        return now - before >= nanos && last.compareAndSet(before, now);
    }

    /** Has it be over at once, since nothing came of what it was over for. */
    public void retry() {
        last.set(System.nanoTime() - nanos);
    }
}
