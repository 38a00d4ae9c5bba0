package dev.cerrojo.benchmarks.leases;

import java.time.Duration;
import java.util.Optional;

/** A library's locks on one store. What a thread has locked, the same thread releases: some of them ask for that. */
interface Rival extends AutoCloseable {
    /** How long all of them hold a lock that is not released. */
    Duration LEASE = Duration.ofSeconds(30);

    /** {@return its name, unique in a benchmark} */
    String name();

    /** {@return whether it can wait for a lock; else it can only try} */
    default boolean waits() {
        return true;
    }

    /** Takes what nobody else has. */
    Held take(String key) throws Exception;

    /** Waits for what somebody has. */
    default Held await(String key) throws Exception {
        throw new UnsupportedOperationException(name() + " does not wait");
    }

    @Override
    void close();

    /** Fails where a lock that is free was not taken. */
    static <T> T free(Optional<T> taken, String key) {
        return taken.orElseThrow(() -> new IllegalStateException(key + " was free, but was not taken"));
    }

    /** What was taken. */
    @FunctionalInterface
    interface Held {
        void release() throws Exception;
    }
}
