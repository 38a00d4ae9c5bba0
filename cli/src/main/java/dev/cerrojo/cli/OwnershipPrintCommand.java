package dev.cerrojo.cli;

import dev.cerrojo.Actor;
import dev.cerrojo.ownership.OwnershipTrigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cerrojo ownership print}: ownerships as SQL. */
@Command(
        name = "print",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Prints the SQL that installs the triggers, fit for a migration. Needs no database.")
final class OwnershipPrintCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final OwnershipMixin options = new OwnershipMixin();

    @Option(names = "--drop", description = "Print the SQL that drops them instead.")
    private boolean drop;

    @Option(
            names = "--editor-role",
            paramLabel = "ROLE",
            description = "Print what this role of editors may update, by column, instead.")
    private @Nullable String editorRole;

    @Option(
            names = "--system-role",
            paramLabel = "ROLE",
            description = "Print what this role of the system may update, by column, instead.")
    private @Nullable String systemRole;

    OwnershipPrintCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        List<OwnershipTrigger> triggers = options.triggers();
        if (options.json()) {
            ContractReport<OwnershipTrigger> report = ContractReport.ofOwnerships(terminal);
            report.print(
                    "ownership print",
                    ExitCode.OK,
                    triggers.stream()
                            .map(trigger -> report.entry(trigger, Map.of("sql", sql(trigger))))
                            .toList());
        } else {
            terminal.out().print(triggers.stream().map(this::sql).collect(Collectors.joining("\n")));
        }
        return ExitCode.OK;
    }

    private String sql(OwnershipTrigger trigger) {
        if (editorRole != null || systemRole != null) {
            return grants(trigger);
        }
        return drop ? trigger.dropSql() : trigger.installSql();
    }

    private String grants(OwnershipTrigger trigger) {
        List<String> grants = new ArrayList<>();
        try {
            if (editorRole != null) {
                grants.add(trigger.ownership().grantSql(Actor.EDITOR, editorRole));
            }
            if (systemRole != null) {
                grants.add(trigger.ownership().grantSql(Actor.SYSTEM, systemRole));
            }
        } catch (IllegalStateException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
        return grants.stream().collect(Collectors.joining(";\n", "", ";\n"));
    }
}
