package dev.cerrojo.cli;

import dev.cerrojo.explorer.stress.Stress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What goes into a Markdown report, if one is written. */
final class MarkdownOptions {
    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write a report as Markdown too, to be put into an issue or a pull request. It runs many"
                    + " operations at once as well, with conflicts and failures injected, and counts.")
    private @Nullable Path markdown;

    @Option(
            names = "--project",
            paramLabel = "DIR",
            description = "With --markdown: the project whose code runs these transactions. The report says what it is"
                    + " built with, and which of its source files write the guarded tables.")
    private @Nullable Path project;

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "With --markdown: how many operations the retry and deadlock test runs, 2 to 10000."
                    + " Default: 100.")
    private @Nullable Integer operations;

    @Option(
            names = "--scopes",
            paramLabel = "N",
            description = "With --markdown: over how many scopes it spreads them, 1 to 1000. Default: 20.")
    private @Nullable Integer scopes;

    /**
     * Checks what the types of the options do not.
     *
     * @throws CommandFailedException if one is out of its bounds, or stands without --markdown
     */
    void check() {
        if (markdown == null && (project != null || operations != null || scopes != null)) {
            throw CommandFailedException.usage(
                    "--project, --operations and --scopes are about --markdown FILE, which is missing");
        }
        if (project != null && !Files.isDirectory(project)) {
            throw CommandFailedException.usage("--project must be a folder, but "
                    + (Files.exists(project) ? "is none: " : "there is none at ") + project);
        }
        stress();
    }

    Optional<Path> file() {
        return Optional.ofNullable(markdown);
    }

    Optional<Path> project() {
        return Optional.ofNullable(project);
    }

    Stress stress() {
        Stress standard = Stress.standard();
        try {
            return new Stress(
                    operations == null ? standard.operations() : operations,
                    scopes == null ? standard.scopes() : scopes);
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage("--" + e.getMessage());
        }
    }
}
