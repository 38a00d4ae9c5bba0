package dev.cerrojo.cli;

import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.Guards;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cerrojo guard drop}: takes guards out of a database. */
@Command(
        name = "drop",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Drops the guards with all they stored; what other guards share stays.")
final class GuardDropCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final GuardOptionsMixin options = new GuardOptionsMixin();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private final LockOptions locks = new LockOptions();

    GuardDropCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        List<Guard> guards = options.guards();
        Guards database = Guards.over(this.database.dataSource(terminal));
        return new Steps<>(ContractReport.ofGuards(terminal), "guard drop", locks.dryRun(), options.json())
                .run(guards, guard -> {
                    database.drop(guard, locks.installation());
                    if (!options.json()) {
                        print(guard);
                    }
                    return Map.of();
                });
    }

    private void print(Guard guard) {
        String name = guard.invariant().name();
        if (locks.dryRun()) {
            terminal.out().println(guard.dropSql());
            terminal.out().println("-- " + name + ": dropped, and rolled back");
        } else {
            terminal.out().println(name + ": dropped");
        }
    }
}
