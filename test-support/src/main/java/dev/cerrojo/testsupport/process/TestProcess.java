package dev.cerrojo.testsupport.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A program that can be paused and killed, and that ends with this JVM, however that ends: it runs under a shell that waits on a
 * pipe of this JVM's. POSIX only.
 *
 * <pre>{@code
 * try (TestProcess server = TestProcess.start(List.of("redis-server", "--port", "7001"), Map.of(), folder)) {
 *     server.awaitLine(line -> line.contains("Ready"));
 *     server.pause();
 * }
 * }</pre>
 */
public final class TestProcess implements AutoCloseable {
    /** Its first line is the number of the program's process, said by that before it is the program; what follows is what the program prints, both streams. */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM
            exec 3<&0 </dev/null
            sh -c 'echo "$$"; exec "$@"' "$1" "$@" 2>&1 3<&- &
            program=$!
            (read -r ignored <&3; kill -KILL "$program") >/dev/null 2>&1 &
            watcher=$!
            exec 3<&-
            wait "$program" 2>/dev/null
            kill -KILL "$watcher"
            """;

    private static final int TAIL_LINES = 20;

    private final String name;
    private final Process shell;
    private final long pid;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private TestProcess(String name, Process shell, long pid) {
        this.name = name;
        this.shell = shell;
        this.pid = pid;
    }

    /**
     * Starts a program.
     *
     * @param words the program and its arguments
     * @param environment variables beside those of this JVM
     * @param folder where it runs
     */
    public static TestProcess start(List<String> words, Map<String, String> environment, Path folder) {
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of("sh", "-c", SCRIPT, "cerrojo-test-process"), words.stream())
                                .toList())
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        try {
            Process shell = builder.start();
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
            TestProcess process = new TestProcess(words.get(0), shell, Long.parseLong(output.readLine()));
            process.collect(output);
            return process;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void collect(BufferedReader output) {
        Thread reader = new Thread(() -> output.lines().forEach(lines::add), "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** {@return what it has printed so far, both streams} */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /**
     * {@return the first line of its output that is as wanted, once it is there}
     *
     * @throws AssertionError when there is none within half a minute, or the program ends before
     */
    public String awaitLine(Predicate<String> wanted) {
        Await.until("a line of %s's output; the end of it is%n%s".formatted(name, tail()), () -> {
            boolean ended = !alive();
            if (lines.stream().anyMatch(wanted)) {
                return true;
            }
            if (ended && !shell.isAlive()) {
                throw new AssertionError("%s ended; the end of its output is%n%s".formatted(name, tail()));
            }
            return false;
        });
        return first(wanted).orElseThrow();
    }

    private Optional<String> first(Predicate<String> wanted) {
        return lines.stream().filter(wanted).findFirst();
    }

    private String tail() {
        List<String> now = lines();
        return String.join(System.lineSeparator(), now.subList(Math.max(0, now.size() - TAIL_LINES), now.size()));
    }

    /** {@return whether it runs, or is paused} */
    public boolean alive() {
        return program().isPresent();
    }

    private Optional<ProcessHandle> program() {
        return ProcessHandle.of(pid).filter(handle -> shell.isAlive() && handle.isAlive());
    }

    /** Pauses it by SIGSTOP; returns when it stands still. */
    public void pause() {
        signal("STOP");
        Await.until(name + " stands still", this::standsStill);
    }

    private boolean standsStill() {
        Path stat = Path.of("/proc/" + pid + "/stat");
        try {
            return !Files.exists(stat) || Files.readString(stat).contains(") T ");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Lets it go on by SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException(
                        "%s, process %d, does not run, so it gets no SIG%s".formatted(name, pid, signal));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills it by SIGKILL, paused or not, and waits for its end. Again: does nothing. */
    public void kill() {
        program().ifPresent(ProcessHandle::destroyForcibly);
        Await.until(name + " has ended", () -> !shell.isAlive());
    }

    @Override
    public void close() {
        kill();
    }
}
