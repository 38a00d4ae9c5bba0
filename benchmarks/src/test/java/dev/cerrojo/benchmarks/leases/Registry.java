package dev.cerrojo.benchmarks.leases;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/**
 * Locks that are {@link Lock}s: Redisson's, and those of Spring Integration's registries.
 *
 * @param locks the lock of a key
 * @param closing gives back what was opened
 */
record Registry(String name, Function<String, Lock> locks, Runnable closing) implements Rival {
    @Override
    public Held take(String key) {
        Lock lock = locks.apply(key);
        if (!lock.tryLock()) {
            throw new IllegalStateException(key + " was free, but was not taken");
        }
        return lock::unlock;
    }

    @Override
    public Held await(String key) throws InterruptedException {
        Lock lock = locks.apply(key);
        if (!lock.tryLock(LEASE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(key + " was not released");
        }
        return lock::unlock;
    }

    @Override
    public void close() {
        closing.run();
    }
}
