package dev.cerrojo.testsupport.proxy;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What a proxy does to the data of all its connections at the moment. */
final class Faults {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** How many more bytes pass in a direction; others all pass. */
    private final Map<Direction, Long> left = new EnumMap<>(Direction.class);

    private long delayNanos;
    private boolean held;

    void none() {
        change(() -> {
            left.clear();
            delayNanos = 0;
            held = false;
        });
    }

    void delay(Duration delay) {
        change(() -> delayNanos = delay.toNanos());
    }

    void hold() {
        change(() -> held = true);
    }

    void cutAfter(Direction direction, long bytes) {
        change(() -> left.put(direction, bytes));
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets data wait as long as it must.
     *
     * @return how many of the bytes pass; fewer than there are: the connection is to be cut after them
     */
    int admit(Direction direction, int bytes) throws InterruptedException {
        LockSupport.parkNanos(delayNanos());
        lock.lockInterruptibly();
        try {
            while (held) {
                changed.await();
            }
            return passing(direction, bytes);
        } finally {
            lock.unlock();
        }
    }

    private long delayNanos() {
        lock.lock();
        try {
            return delayNanos;
        } finally {
            lock.unlock();
        }
    }

    private int passing(Direction direction, int bytes) {
        Long limit = left.get(direction);
        if (limit == null) {
            return bytes;
        }
        if (limit >= bytes) {
            left.put(direction, limit - bytes);
            return bytes;
        }
        left.remove(direction); // cuts one connection; the next one lives
        return limit.intValue();
    }
}
