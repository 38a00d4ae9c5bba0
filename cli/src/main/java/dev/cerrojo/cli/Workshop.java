package dev.cerrojo.cli;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.database.Server;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The server that a command works on: one of the user's, or an embedded one that lives as long as this. */
final class Workshop implements AutoCloseable {
    private final Server server;
    private final @Nullable EmbeddedPostgres embedded;

    private Workshop(Server server, @Nullable EmbeddedPostgres embedded) {
        this.server = server;
        this.embedded = embedded;
    }

    static Workshop open(ServerOptions options, Terminal terminal) {
        Optional<String> url = options.url(terminal);
        return url.isPresent() ? of(url.get()) : embedded(options);
    }

    private static Workshop of(String url) {
        try {
            UserServer.check(url);
            return new Workshop(Server.at(url), null);
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } catch (SQLException e) {
            throw new CommandFailedException(
                    ExitCode.ENVIRONMENT,
                    "the server at " + UserServer.withoutParameters(url) + " cannot be used: " + e.getMessage()
                            + UserServer.because(e) + " (SQLSTATE " + e.getSQLState() + ")",
                    e);
        }
    }

    private static Workshop embedded(ServerOptions options) {
        EmbeddedPostgres.Options.Builder how = EmbeddedPostgres.Options.builder();
        options.major().ifPresent(how::major);
        EmbeddedPostgres postgres = EmbeddedPostgres.start(how.build());
        try {
            return new Workshop(Server.connect(postgres.jdbcUrl(), postgres::jdbcUrl), postgres);
        } catch (SQLException e) {
            postgres.close();
            throw new CommandFailedException(
                    ExitCode.ENVIRONMENT, "the embedded server does not answer: " + e.getMessage(), e);
        }
    }

    Server server() {
        return server;
    }

    /** On the embedded server, begins to make the database that the next file needs, while something else is done. */
    void prepare() {
        if (embedded != null) {
            var unused = server.prepare();
        }
    }

    /** Drops what a command that does not end in time has made on a server of the user's. */
    void dropLeftovers() {
        if (embedded == null) {
            server.dropLeftovers();
        }
    }

    boolean isEmbedded() {
        return embedded != null;
    }

    @Override
    public void close() {
        server.close();
        if (embedded != null) {
            embedded.close();
        }
    }
}
