package dev.cerrojo.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code cerrojo}. */
@Command(
        name = "cerrojo",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Runs the transactions of a service in every order on a real PostgreSQL, shows the order that breaks an"
                        + " invariant, proves which repairs hold, and keeps invariants in a database.",
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0 holds, or everything as expected    1 violated, or an expectation not met",
            "  2 usage or bad file                   3 environment (server, connection)",
            "  4 internal error                      5 inconclusive, diverged, not deterministic",
            "  130 interrupted"
        })
public final class Main implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /**
     * Runs a command, and ends the process with its exit code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        Interruption interruption = new Interruption();
        interruption.listen();
        int exitCode = ExitCode.INTERNAL;
        try {
            exitCode = run(Terminal.ofProcess(), interruption, args);
        } finally {
            interruption.commandEnded();
        }
        if (!interruption.requested()) {
            System.exit(exitCode);
        }
    }

    static int run(Terminal terminal, Interruption interruption, String... args) {
        try {
            return commandLine(terminal, interruption).execute(args);
        } finally {
            terminal.out().flush();
            terminal.err().flush();
        }
    }

    static CommandLine commandLine(Terminal terminal, Interruption interruption) {
        CommandLine line = new CommandLine(new Main())
                .addSubcommand(new CheckCommand(terminal, interruption))
                .addSubcommand(new RepairCommand(terminal, interruption))
                .addSubcommand(GuardCommand.line(terminal))
                .addSubcommand(OwnershipCommand.line(terminal))
                .addSubcommand(new MarginsCommand(terminal))
                .addSubcommand(SchemaCommand.line(terminal))
                .addSubcommand(new HelpCommand())
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setUsageHelpWidth(Math.min(100, terminal.width()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(new UsageErrors(terminal))
                .setExecutionExceptionHandler(new ExecutionErrors(terminal, interruption));
        return line;
    }

    /** Without a command: says which there are. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}
