package dev.cerrojo.embedded;

import static org.assertj.core.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a state, with a deadline. */
final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Await() {}

    static void until(String state, BooleanSupplier reached) {
        long start = System.nanoTime();
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                fail("not reached within %s: %s", LIMIT, state);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    static void ended(Collection<ProcessHandle> processes) {
        until("all ended of " + processes, () -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }

    static void empty(Path folder) {
        until("empty: " + folder, () -> folder.toFile().list().length == 0);
    }

    static void exists(Path file) {
        until("exists: " + file, () -> Files.exists(file));
    }
}
