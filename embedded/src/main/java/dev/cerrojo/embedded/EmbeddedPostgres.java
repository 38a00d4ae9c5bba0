package dev.cerrojo.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of its own, on a free port of 127.0.0.1, that lives as long as this object.
 *
 * <pre>{@code
 * try (EmbeddedPostgres server = EmbeddedPostgres.start();
 *         Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
 *     // an empty database
 * }
 * }</pre>
 *
 * <p>The first start on a machine unpacks PostgreSQL and initialises a cluster in the user's cache folder: {@code
 * CERROJO_CACHE}, else {@code XDG_CACHE_HOME/cerrojo}, else the platform's. Later starts copy that cluster.
 *
 * <p>The server and its folder go away with {@link #close()}, and with the JVM however it ends, SIGKILL included. On Windows
 * a killed JVM leaves them until the next start.
 *
 * <p>It runs as an ordinary user and, on Linux, as root, where the server itself is given another account. Its data is not
 * safe against a power cut unless {@link Options#durable()}. Safe for use by several threads.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int PORT_TRIES = 5;
    private static final byte[] LOCALHOST = {127, 0, 0, 1};
    private static final String PORT_TAKEN = "could not create any TCP/IP sockets";

    private final RunFolder run;
    private final ServerProcess process;
    private final String version;
    private final String password;
    private final int port;

    private EmbeddedPostgres(RunFolder run, ServerProcess process, String version, String password, int port) {
        this.run = run;
        this.process = process;
        this.version = version;
        this.password = password;
        this.port = port;
    }

    /**
     * Starts a server of the default major version.
     *
     * @return a server that accepts connections
     * @throws EmbeddedPostgresException when it cannot be started
     */
    public static EmbeddedPostgres start() {
        return start(Options.defaults());
    }

    /**
     * Starts a server.
     *
     * @param options how; {@link Options#defaults()} is what {@link #start()} takes
     * @return a server that accepts connections
     * @throws EmbeddedPostgresException when it cannot be started, or its binaries cannot be had
     */
    public static EmbeddedPostgres start(Options options) {
        return start(options, Account.current());
    }

    static EmbeddedPostgres start(Options options, Account account) {
        Platform platform = Platform.current();
        try {
            Cache cache = Cache.open(options.cache(), account);
            Binaries binaries = Binaries.of(options, cache, platform);
            Cluster cluster = Cluster.of(binaries, cache);
            for (int tries = 0; tries < PORT_TRIES; tries++) {
                Optional<EmbeddedPostgres> server = tryStart(options, cache, binaries, cluster, platform);
                if (server.isPresent()) {
                    return server.get();
                }
            }
            throw new EmbeddedPostgresException(
                    "no port of 127.0.0.1 stayed free in %d tries: run it again".formatted(PORT_TRIES));
        } catch (IOException failure) {
            throw new EmbeddedPostgresException(
                    "PostgreSQL could not be made ready: " + failure + ": see the cause, then run it again", failure);
        }
    }

    /** {@return the server, or nothing when another program took its port in the meantime} */
    private static Optional<EmbeddedPostgres> tryStart(
            Options options, Cache cache, Binaries binaries, Cluster cluster, Platform platform) throws IOException {
        int port = freePort();
        RunFolder run = RunFolder.create(cache);
        try {
            FileTree.copy(cluster.data(), run.data());
            ServerSettings.of(binaries.major(), port, options).appendTo(run.data());
            cache.account().own(run.data());
            ServerProcess process = ServerProcess.start(binaries, run, cache.account(), platform);
            EmbeddedPostgres server = new EmbeddedPostgres(run, process, binaries.version(), cluster.password(), port);
            if (server.becomesReady()) {
                return Optional.of(server);
            }
            server.close();
            return Optional.empty();
        } catch (IOException | RuntimeException failure) {
            run.close();
            throw failure;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOCALHOST))) {
            return socket.getLocalPort();
        }
    }

    /** {@return false when the port is taken} */
    private boolean becomesReady() throws IOException {
        long start = System.nanoTime();
        while (!PostmasterFile.in(run.data()).ready()) {
            boolean late = System.nanoTime() - start > START_LIMIT.toNanos();
            if (late || !process.alive() || Thread.currentThread().isInterrupted()) {
                return failOrPortTaken(late);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    private boolean failOrPortTaken(boolean late) throws IOException {
        String log = Files.exists(run.log()) ? Files.readString(run.log()) : "";
        if (log.contains(PORT_TAKEN)) {
            return false;
        }
        process.stop();
        String how = late ? "must be ready within " + START_LIMIT + ", but is not" : "ended while it was starting";
        throw new EmbeddedPostgresException("PostgreSQL %s %s: look at the end of its log, and at your settings:%n%s"
                .formatted(version, how, Command.tail(log)));
    }

    /** {@return the URL of the server's database {@code postgres}, user (a superuser) and password included} */
    public String jdbcUrl() {
        return jdbcUrl("postgres");
    }

    /**
     * {@return the URL of another database of the server, user and password included}
     *
     * @param database its name, unquoted; it need not exist yet
     */
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&password=%s"
                .formatted(port, URLEncoder.encode(database, StandardCharsets.UTF_8), Cluster.USER, password);
    }

    /** {@return PostgreSQL's version, such as {@code 17.11}} */
    public String version() {
        return version;
    }

    /**
     * Kills the server and all its processes by SIGKILL, as a crash of the machine would, and waits for their end. Its
     * data stays: {@link #restart()} recovers what was committed durably.
     *
     * @throws EmbeddedPostgresException when it does not run
     */
    public void kill() {
        try {
            ProcessHandle server = PostmasterFile.in(run.data())
                    .pid()
                    .flatMap(ProcessHandle::of)
                    .filter(handle -> process.alive())
                    .orElseThrow(() -> new EmbeddedPostgresException(
                            "the server does not run, so it cannot be killed: restart() it first"));
            List<ProcessHandle> processes =
                    Stream.concat(Stream.of(server), server.descendants()).toList();
            processes.forEach(ProcessHandle::destroyForcibly);
            Deadline.await(
                    "a killed server must end",
                    () -> !process.alive() && processes.stream().noneMatch(ProcessHandle::isAlive));
        } catch (IOException failure) {
            throw new EmbeddedPostgresException("the server could not be killed: " + failure, failure);
        }
    }

    /**
     * Starts a killed server again, on the same data and the same port, and waits until it accepts connections.
     *
     * @throws EmbeddedPostgresException when it cannot be started, or has not ended
     */
    public void restart() {
        if (process.alive()) {
            throw new EmbeddedPostgresException(
                    "the server still runs, so it cannot be started again: kill() it first");
        }
        try {
            // It would say that the old server is ready.
            Files.deleteIfExists(run.data().resolve("postmaster.pid"));
            process.startAgain();
            if (!becomesReady()) {
                throw new EmbeddedPostgresException("port %d was taken by another program".formatted(port));
            }
        } catch (IOException failure) {
            throw new EmbeddedPostgresException("the server could not be started again: " + failure, failure);
        }
    }

    /**
     * Stops the server at once, open connections included, and removes its data. Again: does nothing.
     *
     * @throws EmbeddedPostgresException when the server does not end, or its folder cannot be removed
     */
    @Override
    public void close() {
        try {
            process.stop();
            run.close();
        } catch (IOException failure) {
            throw new EmbeddedPostgresException(
                    "the folder %s of an ended server could not be removed: the next start tries again"
                            .formatted(run.path()),
                    failure);
        }
    }

    /**
     * How a server is started.
     *
     * @param major PostgreSQL's major version, 14 to 18; none means the default, which is on the class path. Others are
     *     resolved once by the user's own {@code mvn}
     * @param archive binaries to use instead: a {@code .txz} file, or a jar that holds one
     * @param cache the cache folder, instead of the user's
     * @param settings server settings, as {@code postgresql.conf} names them; they win over the built-in ones
     * @param durable whether commits survive a power cut ({@code fsync} and its kin), for measurements; otherwise they are
     *     fast
     */
    public record Options(
            OptionalInt major,
            Optional<Path> archive,
            Optional<Path> cache,
            Map<String, String> settings,
            boolean durable) {
        private static final String SETTING_NAME = "[A-Za-z_][A-Za-z0-9_.]*";

        /**
         * Checks them, and copies the settings.
         *
         * @param major 14 to 18, or none
         * @param archive a file, which must exist when a server is started
         * @param cache a folder, which is made when it is missing
         * @param settings name → value
         * @param durable false is fast
         * @throws EmbeddedPostgresException when there is no such major, both a major and an archive are given, or a setting
         *     is not a name or is {@code port}
         */
        public Options {
            settings = Map.copyOf(settings);
            if (major.isPresent() && archive.isPresent()) {
                throw new EmbeddedPostgresException(
                        "major %d and archive %s exclude each other: the archive says which version it is, so leave the major out"
                                .formatted(major.getAsInt(), archive.get()));
            }
            major.ifPresent(Release::of);
            settings.keySet().forEach(Options::checkSetting);
        }

        private static void checkSetting(String name) {
            if (!name.matches(SETTING_NAME)) {
                throw new EmbeddedPostgresException(
                        "a server setting must be named as in postgresql.conf (letters, digits, _ and .), but was \"%s\""
                                .formatted(name));
            }
            if (name.equalsIgnoreCase("port")) {
                throw new EmbeddedPostgresException(
                        "the server setting port must be left out: a free one is taken, and the JDBC URL names it");
            }
        }

        /** {@return the default major version, from the class path} */
        public static Options defaults() {
            return builder().build();
        }

        /**
         * {@return the newest release of a major version}
         *
         * @param major 14 to 18
         */
        public static Options major(int major) {
            return builder().major(major).build();
        }

        /** {@return a builder that starts from the defaults} */
        public static Builder builder() {
            return new Builder();
        }

        /** Collects options. */
        public static final class Builder {
            private OptionalInt major = OptionalInt.empty();
            private Optional<Path> archive = Optional.empty();
            private Optional<Path> cache = Optional.empty();
            private final Map<String, String> settings = new HashMap<>();
            private boolean durable;

            private Builder() {}

            /**
             * Takes the newest release of a major version.
             *
             * @param number 14 to 18
             * @return this
             */
            public Builder major(int number) {
                this.major = OptionalInt.of(number);
                return this;
            }

            /**
             * Takes binaries from an archive.
             *
             * @param file a {@code .txz} file, or a jar that holds one
             * @return this
             */
            public Builder archive(Path file) {
                this.archive = Optional.of(file);
                return this;
            }

            /**
             * Uses a cache folder other than the user's.
             *
             * @param folder is made when it is missing
             * @return this
             */
            public Builder cache(Path folder) {
                this.cache = Optional.of(folder);
                return this;
            }

            /**
             * Adds a server setting, which wins over a built-in one.
             *
             * @param name as in {@code postgresql.conf}; not {@code port}
             * @param value as in {@code postgresql.conf}, without quotes
             * @return this
             */
            public Builder setting(String name, String value) {
                settings.put(name, value);
                return this;
            }

            /**
             * Makes commits survive a power cut, or not.
             *
             * @param survive false, the default, is fast
             * @return this
             */
            public Builder durable(boolean survive) {
                this.durable = survive;
                return this;
            }

            /**
             * {@return the options}
             *
             * @throws EmbeddedPostgresException when they contradict each other
             */
            public Options build() {
                return new Options(major, archive, cache, settings, durable);
            }
        }
    }
}
