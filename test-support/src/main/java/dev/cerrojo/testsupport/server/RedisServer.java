package dev.cerrojo.testsupport.server;

import dev.cerrojo.testsupport.process.TestProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Redis server of a test, which can be paused, killed and started again. It keeps nothing on disk unless its settings say so: after
 * {@link #restart} all keys are gone.
 */
public final class RedisServer implements AutoCloseable {
    private static final String READY = "Ready to accept connections";

    private final ServerFolder folder;
    private final List<String> words;
    private final int port;
    private final Map<String, String> environment;
    private TestProcess process;

    private RedisServer(Path program, int port, Map<String, String> environment, List<String> settings) {
        this.environment = environment;
        this.port = port;
        this.folder = ServerFolder.create("redis");
        this.words = Stream.concat(Stream.concat(Stream.of(program.toString()), basic(port)), settings.stream())
                .toList();
        this.process = run();
    }

    private static Stream<String> basic(int port) {
        return Stream.of("--port", String.valueOf(port), "--bind", "127.0.0.1", "--save", "", "--loglevel", "notice");
    }

    /** Starts the machine's Redis or Valkey, or else Redis 6.2. */
    public static RedisServer start(String... settings) {
        return new RedisServer(RedisBinary.installed(), FreePorts.any(), Map.of(), List.of(settings));
    }

    /** Starts Redis 6.2, the oldest that is supported. */
    public static RedisServer startOldest(String... settings) {
        return new RedisServer(RedisBinary.bundled(), FreePorts.any(), Map.of(), List.of(settings));
    }

    /** Starts Redis 6.2 with variables beside those of this JVM. Debian's own Redis does not start under libfaketime. */
    public static RedisServer startOldestIn(Map<String, String> environment) {
        return new RedisServer(RedisBinary.bundled(), FreePorts.any(), environment, List.of());
    }

    static RedisServer startAt(int port, List<String> settings) {
        return new RedisServer(RedisBinary.installed(), port, Map.of(), settings);
    }

    /**
     * {@return the address of a server for tests that neither stop it nor need it empty: the one that the environment names as {@code
     * CERROJO_TEST_REDIS_URL}, or one for the whole JVM}
     */
    public static String sharedUrl() {
        return Shared.URL;
    }

    /** Started when it is first asked for; ends with the JVM. */
    private static final class Shared {
        private static final String URL = Optional.ofNullable(System.getenv("CERROJO_TEST_REDIS_URL"))
                .filter(url -> !url.isBlank())
                .orElseGet(() -> start().url());
    }

    private TestProcess run() {
        TestProcess started = TestProcess.start(words, environment, folder.path());
        started.awaitLine(line -> line.contains(READY));
        return started;
    }

    /** {@return its address: {@code redis://127.0.0.1:PORT}} */
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    /** {@return the port at 127.0.0.1} */
    public int port() {
        return port;
    }

    /** {@return what it answers to a command: a status, a number or a text} */
    public String ask(String... command) {
        return RedisReply.to(port, command);
    }

    /** Pauses it by SIGSTOP. */
    public void pause() {
        process.pause();
    }

    /** Lets it go on. */
    public void resume() {
        process.resume();
    }

    /** Kills it by SIGKILL, and waits for its end. */
    public void kill() {
        process.kill();
    }

    /** Kills it, and starts it again at the same port and in the same folder. */
    public void restart() {
        process.kill();
        process = run();
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
