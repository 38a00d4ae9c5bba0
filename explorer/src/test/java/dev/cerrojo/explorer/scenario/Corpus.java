package dev.cerrojo.explorer.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Scenario files that tests run over. */
public final class Corpus {
    private Corpus() {}

    /** The corpus of real races: CERROJO_CORPUS, or a folder beside the repository; skips the test without one. */
    public static Stream<Path> files() {
        Assumptions.assumeTrue(isThere(), "no corpus of races at " + folder() + ": set CERROJO_CORPUS to run over one");
        return yamlIn(folder()).stream();
    }

    /** {@return whether there is a corpus of real races} */
    public static boolean isThere() {
        return Files.isDirectory(folder());
    }

    private static Path folder() {
        return Optional.ofNullable(System.getenv("CERROJO_CORPUS"))
                .map(Path::of)
                .orElse(root().resolve("../shared/corpus"));
    }

    /** The examples of the repository. */
    public static Stream<Path> examples() {
        return yamlIn(root().resolve("examples")).stream();
    }

    /** The common mistakes, each with its cure. */
    public static Stream<Path> mistakes() {
        return yamlIn(root().resolve("examples/mistakes")).stream();
    }

    /** The scenarios of facts about PostgreSQL. */
    public static Stream<Path> facts() {
        return yamlIn(Path.of("src/test/resources/facts")).stream();
    }

    /** Scenarios that show how far the reduced search reduces, and where it must not. */
    public static Stream<Path> reductions() {
        return yamlIn(Path.of("src/test/resources/reduction")).stream();
    }

    /** The root of the repository. */
    public static Path root() {
        return Path.of("").toAbsolutePath().getParent();
    }

    private static List<Path> yamlIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
