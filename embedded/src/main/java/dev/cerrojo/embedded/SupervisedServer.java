package dev.cerrojo.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server under a supervisor: a shell whose standard input is a pipe that this JVM holds. When the JVM ends, however it
 * ends, the pipe closes, and the shell stops the server and removes its folder. No hook could do that after SIGKILL.
 *
 * <p>The shell ignores the signals of a terminal, which reach the whole process group: the server answers them itself
 * (SIGINT is its fast shutdown), and the pipe tells when the JVM is gone.
 */
record SupervisedServer(Process supervisor, Path ended) implements ServerProcess {
    private static final int STOP_SECONDS = 15;

    /**
     * Arguments: the folder, the server's log, the server's command. A server that ends by itself is told by the file {@code
     * ended}: from then on its process number may be another's, and is not signalled. A line on the pipe then starts it
     * again; the end of the pipe ends all.
     */
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM
            run=$1 log=$2
            shift 2
            exec 3<&0 </dev/null
            runs() {
              [ ! -e "$run/ended" ] && kill -0 "$server"
            }
            watch() {
              while read -r ignored; do : >"$run/again"; done
              : >"$run/over"
              read -r server <"$run/server"
              runs && kill -QUIT "$server"
              tries=0
              while [ $tries -lt 50 ] && runs; do
                sleep 0.1
                tries=$((tries + 1))
              done
              runs && kill -KILL "$server"
            }
            watcher=
            while [ ! -e "$run/over" ]; do
              "$@" >>"$log" 2>&1 3<&- &
              server=$!
              echo "$server" >"$run/server"
              rm -f "$run/again" "$run/ended"
              if [ -z "$watcher" ]; then
                watch <&3 2>/dev/null &
                watcher=$!
                exec 3<&-
              fi
              # The pipe may have ended while this server was started again: then the watcher has not seen it.
              [ -e "$run/over" ] && kill -QUIT "$server"
              wait "$server"
              : >"$run/ended"
              while [ ! -e "$run/again" ] && [ ! -e "$run/over" ]; do sleep 0.02; done
            done
            wait "$watcher"
            rm -rf "$run"
            """;

    static SupervisedServer start(Binaries binaries, RunFolder run, Account account) throws IOException {
        List<String> server = account.command(
                List.of(binaries.program("postgres"), "-D", run.data().toString()));
        Path log = run.log();
        List<String> shell =
                List.of("sh", "-c", SCRIPT, "cerrojo-supervisor", run.path().toString(), log.toString());
        Process supervisor = Command.builder(
                        Stream.concat(shell.stream(), server.stream()).toList(), run.path())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        // The lock is reachable from what waits for the end, so it outlives a server object that nobody holds any more.
        CompletableFuture<?> unused = supervisor.onExit().thenRun(run::unlock);
        return new SupervisedServer(supervisor, run.path().resolve("ended"));
    }

    @Override
    public boolean alive() {
        return supervisor.isAlive() && !Files.exists(ended);
    }

    @Override
    public void startAgain() throws IOException {
        supervisor.getOutputStream().write('\n');
        supervisor.getOutputStream().flush();
        Deadline.await("the supervisor must start the server again", () -> !Files.exists(ended));
    }

    @Override
    public void stop() throws IOException {
        supervisor.getOutputStream().close();
        try {
            if (!supervisor.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new EmbeddedPostgresException(
                        "the server must end within %d s, but its supervisor, process %d, still runs: end that process"
                                .formatted(STOP_SECONDS, supervisor.pid()));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // the supervisor goes on by itself
        }
    }
}
