package dev.cerrojo.cli;

import dev.cerrojo.ownership.OwnershipTrigger;
import dev.cerrojo.ownership.OwnershipTriggers;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cerrojo ownership drop}: takes the triggers of ownerships out of a database. */
@Command(
        name = "drop",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Drops the triggers with their functions.")
final class OwnershipDropCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final OwnershipMixin options = new OwnershipMixin();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private final LockOptions locks = new LockOptions();

    OwnershipDropCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        List<OwnershipTrigger> triggers = options.triggers();
        OwnershipTriggers database = OwnershipTriggers.over(this.database.dataSource(terminal));
        return new Steps<>(ContractReport.ofOwnerships(terminal), "ownership drop", locks.dryRun(), options.json())
                .run(triggers, trigger -> {
                    database.drop(trigger, locks.installation());
                    if (!options.json()) {
                        print(trigger);
                    }
                    return Map.of();
                });
    }

    private void print(OwnershipTrigger trigger) {
        String what = trigger.ownership().table() + ": dropped";
        if (locks.dryRun()) {
            terminal.out().println(trigger.dropSql());
            terminal.out().println("-- " + what + ", and rolled back");
        } else {
            terminal.out().println(what);
        }
    }
}
