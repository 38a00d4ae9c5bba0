package dev.cerrojo.cli;

import dev.cerrojo.ownership.OwnershipTrigger;
import dev.cerrojo.ownership.OwnershipTriggers;
import dev.cerrojo.schema.Installation;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cerrojo ownership install}: puts the triggers of ownerships into a database. */
@Command(
        name = "install",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Installs the triggers, each in a transaction of its own. A table with columns that are nobody's is"
                        + " refused.")
final class OwnershipInstallCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final OwnershipMixin options = new OwnershipMixin();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private final LockOptions locks = new LockOptions();

    @Option(names = "--replace", description = "Replace triggers that are there and differ, each in one transaction.")
    private boolean replace;

    OwnershipInstallCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        List<OwnershipTrigger> triggers = options.triggers();
        Installation how = locks.installation().withReplace(replace);
        OwnershipTriggers database = OwnershipTriggers.over(this.database.dataSource(terminal));
        return new Steps<>(ContractReport.ofOwnerships(terminal), "ownership install", how.dryRun(), options.json())
                .run(triggers, trigger -> {
                    Installation.Outcome outcome = database.install(trigger, how);
                    if (!options.json()) {
                        print(trigger, outcome);
                    }
                    return Map.of("outcome", outcome);
                });
    }

    private void print(OwnershipTrigger trigger, Installation.Outcome outcome) {
        String what = trigger.ownership().table() + ": " + GuardInstallCommand.words(outcome);
        if (locks.dryRun()) {
            terminal.out().println(trigger.installSql());
            terminal.out().println("-- " + what + ", and rolled back");
        } else {
            terminal.out().println(what);
        }
    }
}
