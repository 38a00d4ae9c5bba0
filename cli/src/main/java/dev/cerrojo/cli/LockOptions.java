package dev.cerrojo.cli;

import dev.cerrojo.schema.Installation;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How a command changes a database. */
final class LockOptions {
    @Option(
            names = "--lock-timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Give up when a lock is not free in time: 500ms, 5s, 1m. Default: 5s.")
    private Duration lockTimeout = Installation.defaults().lockTimeout();

    @Option(names = "--dry-run", description = "Run everything, validation included, and roll it back; print the SQL.")
    private boolean dryRun;

    boolean dryRun() {
        return dryRun;
    }

    Installation installation() {
        try {
            return Installation.defaults().withLockTimeout(lockTimeout).withDryRun(dryRun);
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage("--lock-timeout: " + e.getMessage());
        }
    }
}
