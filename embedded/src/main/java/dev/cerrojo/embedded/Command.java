package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A program that is run to its end.
 *
 * @param words the program and its arguments
 * @param folder where it runs
 * @param limit how long it may take
 */
record Command(List<String> words, Path folder, Duration limit) {
    private static final int TAIL_LINES = 20;

    Command {
        words = List.copyOf(words);
    }

    /**
     * What a program ended with.
     *
     * @param exit its exit code
     * @param output what it printed, both streams
     */
    record Ending(int exit, String output) {
        boolean good() {
            return exit == 0;
        }
    }

    /** Runs it. An {@link IOException} means that there is no such program. */
    Ending run() throws IOException {
        Path output = Files.createTempFile("cerrojo-", ".out");
        try {
            return new Ending(
                    waitFor(builder(words, folder)
                            .redirectOutput(output.toFile())
                            .start()),
                    text(output));
        } finally {
            Files.delete(output);
        }
    }

    /** Runs it, and throws what it printed when it fails. */
    String runOrThrow(String what, String nextStep) throws IOException {
        Ending ending = run();
        if (!ending.good()) {
            throw new EmbeddedPostgresException("%s failed: %s ended with %d, %s; it printed:%n%s"
                    .formatted(what, words.get(0), ending.exit(), nextStep, tail(ending.output())));
        }
        return ending.output();
    }

    /** A builder whose program hears nothing, and knows nothing of a PostgreSQL that the user has configured. */
    static ProcessBuilder builder(List<String> words, Path folder) {
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    private int waitFor(Process process) throws IOException {
        process.getOutputStream().close();
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
            throw new EmbeddedPostgresException(
                    "%s must end within %s, but did not".formatted(String.join(" ", words), limit));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("interrupted while running " + words.get(0), interrupted);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    static String tail(String text) {
        List<String> lines = text.strip().lines().toList();
        return lines.stream()
                .skip(Math.max(0, lines.size() - TAIL_LINES))
                .map(line -> "  " + line)
                .collect(Collectors.joining(System.lineSeparator()));
    }
}
