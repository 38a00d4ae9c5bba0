package dev.cerrojo.benchmarks.leases;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/** ShedLock's locks, which do not wait: who finds one taken skips the work. */
record ShedLocks(String name, LockProvider provider) implements Rival {
    @Override
    public boolean waits() {
        return false;
    }

    @Override
    public Held take(String key) {
        SimpleLock lock =
                Rival.free(provider.lock(new LockConfiguration(Instant.now(), key, LEASE, Duration.ZERO)), key);
        return lock::unlock;
    }

    @Override
    public void close() {
        // What it uses is the benchmark's.
    }
}
