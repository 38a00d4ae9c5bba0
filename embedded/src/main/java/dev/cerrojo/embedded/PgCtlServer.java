package dev.cerrojo.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A server on Windows, where there is no shell to watch a pipe: {@code pg_ctl} starts it, which also drops the rights of an
 * administrator, and a shutdown hook stops it. A JVM that is killed leaves it running until the next start.
 */
final class PgCtlServer implements ServerProcess {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Command start;
    private final Command stop;
    private final RunFolder run;
    private final Thread hook;

    private PgCtlServer(Command start, Command stop, RunFolder run) {
        this.start = start;
        this.stop = stop;
        this.run = run;
        this.hook = new Thread(this::stopQuietly, "cerrojo-server-stop");
    }

    static PgCtlServer start(Binaries binaries, RunFolder run) throws IOException {
        String data = run.data().toString();
        String program = binaries.program("pg_ctl");
        PgCtlServer server = new PgCtlServer(
                new Command(
                        List.of(
                                program,
                                "start",
                                "-W",
                                "-D",
                                data,
                                "-l",
                                run.log().toString()),
                        run.path(),
                        LIMIT),
                new Command(List.of(program, "stop", "-m", "immediate", "-D", data), run.path(), LIMIT),
                run);
        Runtime.getRuntime().addShutdownHook(server.hook);
        server.startAgain();
        return server;
    }

    @Override
    public void startAgain() throws IOException {
        start.runOrThrow("starting PostgreSQL", "see its message");
    }

    @Override
    public boolean alive() {
        return true; // it has no process of ours: only the deadline tells
    }

    @Override
    public void stop() throws IOException {
        Runtime.getRuntime().removeShutdownHook(hook);
        stop.run();
    }

    private void stopQuietly() {
        try (run) {
            stop.run();
        } catch (IOException failure) {
            System.getLogger(PgCtlServer.class.getName())
                    .log(System.Logger.Level.WARNING, "the server may still run", failure);
        }
    }
}
