package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Stops a server that no supervisor stops. */
final class Shutdown {
    private Shutdown() {}

    /**
     * Asks for an immediate shutdown, and kills the server when that takes too long. SIGQUIT is what PostgreSQL calls
     * immediate shutdown; {@link ProcessHandle#destroy()} would send SIGTERM, which waits for every session to end.
     */
    static void immediate(ProcessHandle server, Duration limit) {
        if (!quits(server, limit) || !endsWithin(server, limit)) {
            server.destroyForcibly();
            endsWithin(server, limit);
        }
    }

    private static boolean quits(ProcessHandle server, Duration limit) {
        List<String> kill = List.of("sh", "-c", "kill -QUIT \"$1\"", "sh", String.valueOf(server.pid()));
        try {
            return new Command(kill, Path.of("/"), limit).run().good();
        } catch (IOException noShell) {
            return false;
        }
    }

    private static boolean endsWithin(ProcessHandle server, Duration limit) {
        try {
            server.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillThere) {
            return false;
        } catch (ExecutionException unknown) {
            throw new IllegalStateException(unknown);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
