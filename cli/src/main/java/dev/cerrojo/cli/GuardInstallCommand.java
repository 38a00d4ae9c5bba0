package dev.cerrojo.cli;

import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.Guards;
import dev.cerrojo.schema.Installation;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cerrojo guard install}: puts guards into a database. */
@Command(
        name = "install",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Installs the guards, each in a transaction of its own: validates the rows that are there first, and"
                        + " changes nothing when some violate an invariant.")
final class GuardInstallCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final GuardOptionsMixin options = new GuardOptionsMixin();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private final LockOptions locks = new LockOptions();

    @Option(names = "--replace", description = "Replace guards that are there and differ, each in one transaction.")
    private boolean replace;

    GuardInstallCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        List<Guard> guards = options.guards();
        Installation how = locks.installation().withReplace(replace);
        Guards database = Guards.over(this.database.dataSource(terminal));
        return new Steps<>(ContractReport.ofGuards(terminal), "guard install", how.dryRun(), options.json())
                .run(guards, guard -> {
                    Installation.Outcome outcome = install(database, guard, how);
                    if (!options.json()) {
                        print(guard, outcome);
                    }
                    return Map.of("outcome", outcome);
                });
    }

    private Installation.Outcome install(Guards database, Guard guard, Installation how) throws SQLException {
        try {
            return database.install(guard, how);
        } catch (SQLException e) {
            throw options.explained(guard, e);
        }
    }

    private void print(Guard guard, Installation.Outcome outcome) {
        String what = guard.invariant().name() + ": " + words(outcome);
        if (locks.dryRun()) {
            terminal.out().println(guard.installSql());
            terminal.out().println("-- " + what + ", and rolled back");
        } else {
            terminal.out().println(what);
        }
    }

    static String words(Installation.Outcome outcome) {
        return switch (outcome) {
            case INSTALLED -> "installed";
            case REPLACED -> "replaced";
            case ALREADY_INSTALLED -> "is installed already";
        };
    }
}
