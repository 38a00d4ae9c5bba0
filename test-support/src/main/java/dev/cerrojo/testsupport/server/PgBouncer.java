package dev.cerrojo.testsupport.server;

import dev.cerrojo.testsupport.process.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A PgBouncer in transaction mode in front of a test's database: each transaction may be on another connection of the server. */
public final class PgBouncer implements AutoCloseable {
    /** The few connections are shared, so that it is seen when something relies on a session. */
    private static final String SETTINGS = """
            [databases]
            * = host=%s port=%d user=%s password=%s
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = 5
            ignore_startup_parameters = extra_float_digits
            """;

    private final ServerFolder folder;
    private final TestProcess process;
    private final String jdbcUrl;

    private PgBouncer(ServerFolder folder, TestProcess process, String jdbcUrl) {
        this.folder = folder;
        this.process = process;
        this.jdbcUrl = jdbcUrl;
    }

    /** {@return whether it is on the PATH} */
    public static boolean isInstalled() {
        return Programs.find("pgbouncer").isPresent();
    }

    /**
     * {@return one in front of a database}
     *
     * @param jdbcUrl of the database, user and password included
     */
    public static PgBouncer before(String jdbcUrl) {
        Path program = Programs.find("pgbouncer").orElseThrow();
        URI server = URI.create(jdbcUrl.substring("jdbc:".length()));
        int port = FreePorts.any();
        ServerFolder folder = ServerFolder.create("pgbouncer");
        Path settings = folder.path().resolve("pgbouncer.ini");
        write(
                settings,
                SETTINGS.formatted(
                        server.getHost(),
                        server.getPort(),
                        parameter(server, "user"),
                        parameter(server, "password"),
                        port));
        TestProcess process = TestProcess.start(words(program, settings), Map.of(), folder.path());
        process.awaitLine(line -> line.contains("process up"));
        return new PgBouncer(
                folder,
                process,
                "jdbc:postgresql://127.0.0.1:%d/%s?user=%s&prepareThreshold=0"
                        .formatted(port, server.getPath().substring(1), parameter(server, "user")));
    }

    private static String parameter(URI server, String name) {
        return Stream.of(server.getQuery().split("&", -1))
                .filter(parameter -> parameter.startsWith(name + "="))
                .map(parameter -> parameter.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** It does not run as root. */
    private static List<String> words(Path program, Path settings) {
        List<String> words = new ArrayList<>(List.of(program.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            words.addAll(List.of("-u", "nobody"));
        }
        words.add(settings.toString());
        return words;
    }

    /** {@return the URL of the database behind it; without prepared statements, which belong to a session} */
    public String jdbcUrl() {
        return jdbcUrl;
    }

    /** Ends it. */
    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
