package dev.cerrojo.cli;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaNotReadyException;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cerrojo schema verify}: asks whether Cerrojo's own tables are there. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Asks whether Cerrojo's own tables are there in the version that it needs; ends with 1 when not.")
final class SchemaVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final SchemaOptions options = new SchemaOptions();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    SchemaVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        Schema schema = Schema.over(database.dataSource(terminal), options.ownSchema());
        if (options.json()) {
            return json(schema);
        }
        schema.validate();
        terminal.out().println("schema %s: version %d".formatted(options.ownSchema(), Schema.version()));
        return ExitCode.OK;
    }

    private int json(Schema schema) throws SQLException {
        @Nullable String problem = null;
        try {
            schema.validate();
        } catch (SchemaNotReadyException e) {
            problem = e.getMessage();
        }
        int exitCode = problem == null ? ExitCode.OK : ExitCode.VIOLATED;
        options.print(terminal, "schema verify", exitCode, "problem", problem);
        return exitCode;
    }
}
