package dev.cerrojo.cli;

import dev.cerrojo.schema.Schema;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cerrojo schema install}: makes what is missing of Cerrojo's own tables. */
@Command(
        name = "install",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Makes what is missing of Cerrojo's own tables, in one transaction.")
final class SchemaInstallCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final SchemaOptions options = new SchemaOptions();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    SchemaInstallCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        Schema schema = Schema.over(database.dataSource(terminal), options.ownSchema());
        List<Integer> made = schema.create();
        schema.validate();
        if (options.json()) {
            options.print(terminal, "schema install", ExitCode.OK, "installed", made);
            return ExitCode.OK;
        }
        terminal.out()
                .println(
                        made.isEmpty()
                                ? "schema %s is installed already, version %d"
                                        .formatted(options.ownSchema(), Schema.version())
                                : "schema %s: installed version %s".formatted(options.ownSchema(), made));
        return ExitCode.OK;
    }
}
