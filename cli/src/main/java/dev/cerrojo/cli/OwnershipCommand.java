package dev.cerrojo.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cerrojo ownership}: the group of commands about field ownership in a database. */
@Command(
        name = "ownership",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Keeps, by triggers, who may write which field of the tables of a contract.")
final class OwnershipCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    static CommandLine line(Terminal terminal) {
        return new CommandLine(new OwnershipCommand())
                .addSubcommand(new OwnershipPrintCommand(terminal))
                .addSubcommand(new OwnershipInstallCommand(terminal))
                .addSubcommand(new OwnershipVerifyCommand(terminal))
                .addSubcommand(new OwnershipDropCommand(terminal));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
