package dev.cerrojo.cli;

import dev.cerrojo.schema.Schema;
import java.sql.SQLException;
import java.util.concurrent.Callable;
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
        Schema.over(database.dataSource(terminal), options.ownSchema()).validate();
        terminal.out().println("schema %s: version %d".formatted(options.ownSchema(), Schema.version()));
        return ExitCode.OK;
    }
}
