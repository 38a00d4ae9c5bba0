package dev.cerrojo.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cerrojo schema}: the group of commands about Cerrojo's own tables. */
@Command(
        name = "schema",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Prints, installs and verifies Cerrojo's own tables.")
final class SchemaCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    static CommandLine line(Terminal terminal) {
        return new CommandLine(new SchemaCommand())
                .addSubcommand(new SchemaPrintCommand(terminal))
                .addSubcommand(new SchemaInstallCommand(terminal))
                .addSubcommand(new SchemaVerifyCommand(terminal));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
