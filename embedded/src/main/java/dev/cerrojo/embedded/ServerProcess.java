package dev.cerrojo.embedded;

import java.io.IOException;

/** The processes of a server, as far as this JVM has to do with them. */
sealed interface ServerProcess permits SupervisedServer, PgCtlServer {
    /** Starts a server on a folder whose {@code data} is ready. */
    static ServerProcess start(Binaries binaries, RunFolder run, Account account, Platform platform)
            throws IOException {
        return platform.windows() ? PgCtlServer.start(binaries, run) : SupervisedServer.start(binaries, run, account);
    }

    /** {@return whether it still runs, or is still starting} */
    boolean alive();

    /** Starts a server that has ended again, on the same folder; returns when it has a process. */
    void startAgain() throws IOException;

    /** Stops the server at once; returns when it has ended. */
    void stop() throws IOException;
}
