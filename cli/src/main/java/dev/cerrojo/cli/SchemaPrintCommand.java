package dev.cerrojo.cli;

import dev.cerrojo.schema.Schema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cerrojo schema print}: Cerrojo's own tables as SQL. */
@Command(
        name = "print",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Prints the SQL that makes Cerrojo's own tables. Needs no database.")
final class SchemaPrintCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final SchemaOptions options = new SchemaOptions();

    SchemaPrintCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        String sql = Schema.script(options.ownSchema());
        if (options.json()) {
            options.print(terminal, "schema print", ExitCode.OK, "sql", sql);
        } else {
            terminal.out().print(sql);
        }
        return ExitCode.OK;
    }
}
