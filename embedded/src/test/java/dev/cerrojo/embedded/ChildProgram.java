package dev.cerrojo.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@link HeldServer} in a JVM of its own. */
record ChildProgram(Process process) implements AutoCloseable {
    private static final int END_SECONDS = 30;

    static ChildProgram start(Path cache, String... prefix) throws IOException {
        return start(System.getProperty("java.class.path"), cache, prefix);
    }

    static ChildProgram start(String classPath, Path cache, String... prefix) throws IOException {
        List<String> words = new ArrayList<>(List.of(prefix));
        words.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                HeldServer.class.getName(),
                cache.toString()));
        return new ChildProgram(new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** {@return the URL of its server, once that is ready} */
    String jdbcUrl() throws IOException {
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            throw new IllegalStateException("the program ended before its server was ready");
        }
        return line;
    }

    /** {@return its supervisors, servers and their processes} */
    List<ProcessHandle> family() {
        return process.descendants().toList();
    }

    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Sends a signal to the program and all of its processes, as a terminal does. */
    void signalAll(String signal) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("kill", "-" + signal));
        Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(handle -> String.valueOf(handle.pid()))
                .forEach(words::add);
        new ProcessBuilder(words).inheritIO().start().waitFor();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the program must end within " + END_SECONDS + " s");
        }
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        endInput();
        exitCode();
    }
}
