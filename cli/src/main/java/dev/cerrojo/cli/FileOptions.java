package dev.cerrojo.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Files that a command writes beside what it prints. */
final class FileOptions {
    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a report as one HTML file too, to be opened from a folder, attached or printed.")
    private @Nullable Path html;

    Optional<Path> html() {
        return Optional.ofNullable(html);
    }

    static void write(Path file, String text) {
        try {
            @Nullable Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CommandFailedException(ExitCode.ENVIRONMENT, "cannot write " + file + ": " + e, e);
        }
    }
}
