package dev.cerrojo.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a repair writes the fix. */
final class WriteOptions {
    @Option(
            names = "--write",
            paramLabel = "DIR",
            description =
                    "Write the fix into this folder, such as your migrations: the guard as the next migration with its"
                            + " rollback, guarded transactions in Java, the scenario as a regression test, and the report. The files"
                            + " are tried on a fresh database first, and are written only if they do what they should.")
    private @Nullable Path folder;

    @Option(
            names = "--force",
            description = "--write replaces files that are there and differ; what was there is kept as NAME.bak.")
    private boolean force;

    /** {@return the folder; empty when nothing is to be written} */
    Optional<Path> folder() {
        if (force && folder == null) {
            throw CommandFailedException.usage("--force is about --write DIR, which is missing");
        }
        Optional.ofNullable(folder).ifPresent(WriteOptions::check);
        return Optional.ofNullable(folder);
    }

    /** Before minutes of work are done for nothing. */
    private static void check(Path folder) {
        Path existing = folder.toAbsolutePath().normalize();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing)) {
            throw CommandFailedException.usage("--write must name a folder, but " + existing + " is a file");
        }
        if (!Files.isWritable(existing)) {
            throw new CommandFailedException(
                    ExitCode.ENVIRONMENT, "--write cannot write into " + existing + ": no permission");
        }
    }

    boolean force() {
        return force;
    }
}
