package dev.cerrojo.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cerrojo guard}: the group of commands about guards in a database. */
@Command(
        name = "guard",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Keeps the invariants of a contract in a database: as triggers, or as constraints of PostgreSQL's.")
final class GuardCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    static CommandLine line(Terminal terminal) {
        return new CommandLine(new GuardCommand())
                .addSubcommand(new GuardPrintCommand(terminal))
                .addSubcommand(new GuardInstallCommand(terminal))
                .addSubcommand(new GuardVerifyCommand(terminal))
                .addSubcommand(new GuardDropCommand(terminal));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
