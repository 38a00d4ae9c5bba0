package dev.cerrojo.cli;

import dev.cerrojo.guard.Guard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cerrojo guard print}: guards as SQL. */
@Command(
        name = "print",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Prints the SQL that installs the guards, fit for a migration. Needs no database.")
final class GuardPrintCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final GuardOptionsMixin options = new GuardOptionsMixin();

    @Option(names = "--drop", description = "Print the SQL that drops them instead.")
    private boolean drop;

    GuardPrintCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<Guard> guards = options.guards();
        if (options.json()) {
            JsonOutput.print(
                    terminal,
                    "guard print",
                    ExitCode.OK,
                    guards.stream()
                            .map(guard -> Map.of("invariant", guard.invariant().name(), "sql", sql(guard)))
                            .toList());
        } else {
            terminal.out().print(guards.stream().map(this::sql).collect(Collectors.joining("\n")));
        }
        return ExitCode.OK;
    }

    private String sql(Guard guard) {
        return drop ? guard.dropSql() : guard.installSql();
    }
}
