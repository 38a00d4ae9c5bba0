package dev.cerrojo.cli;

import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** On which server a command runs. */
final class ServerOptions {
    @Option(
            names = "--url",
            paramLabel = "JDBC_URL",
            description = "A PostgreSQL server of yours, as jdbc:postgresql://HOST:PORT/DATABASE?user=...&password=..."
                    + " Cerrojo makes databases of its own on it, drops them, and touches no other."
                    + " Without it, and without CERROJO_URL, an embedded server is started.")
    private @Nullable String url;

    @Option(
            names = "--postgres",
            paramLabel = "MAJOR",
            description = "The major version of the embedded server: 14 to 18."
                    + " The default one is built in; another is fetched once.")
    private @Nullable Integer major;

    /** {@return the user's server; empty for the embedded one} */
    Optional<String> url(Terminal terminal) {
        if (url != null && major != null) {
            throw CommandFailedException.usage(
                    "--url and --postgres exclude each other: --postgres is about the embedded server");
        }
        if (url != null) {
            return Optional.of(url);
        }
        return major == null ? terminal.variable("CERROJO_URL") : Optional.empty();
    }

    OptionalInt major() {
        if (major == null) {
            return OptionalInt.empty();
        }
        if (major < 14 || major > 18) {
            throw CommandFailedException.usage("--postgres must be 14 to 18, but was " + major);
        }
        return OptionalInt.of(major);
    }
}
