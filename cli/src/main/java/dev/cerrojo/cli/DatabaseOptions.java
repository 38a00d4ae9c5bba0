package dev.cerrojo.cli;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database of the user's a command is about. */
final class DatabaseOptions {
    static final String VARIABLE = "CERROJO_DATABASE_URL";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The database, as jdbc:postgresql://HOST:PORT/DATABASE?user=... or"
                    + " postgresql://USER@HOST:PORT/DATABASE. Default: the variable " + VARIABLE + ".")
    private @Nullable String url;

    /**
     * Connects once, so that what is wrong with the way there is told apart from what is wrong there.
     *
     * @throws CommandFailedException when it is not named or cannot be reached
     */
    DataSource dataSource(Terminal terminal) {
        DatabaseUrl known = DatabaseUrl.of(
                url != null
                        ? url
                        : terminal.variable(VARIABLE)
                                .orElseThrow(() -> CommandFailedException.usage(
                                        "--url is missing: the database that this is about; or set " + VARIABLE)));
        DataSource source = known.dataSource();
        try (Connection connection = source.getConnection()) {
            return source;
        } catch (SQLException e) {
            throw new CommandFailedException(
                    ExitCode.ENVIRONMENT,
                    "the database at " + known + " cannot be used: " + e.getMessage() + UserServer.because(e)
                            + " (SQLSTATE " + e.getSQLState() + ")",
                    e);
        }
    }
}
