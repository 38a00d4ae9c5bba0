package dev.cerrojo.cli;

import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.Guards;
import dev.cerrojo.schema.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cerrojo guard verify}: compares guards with a database. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Compares the guards with what is in the database, and asks whether rows violate an invariant. Ends"
                        + " with 1 when there is anything to tell.")
final class GuardVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final GuardOptionsMixin options = new GuardOptionsMixin();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    GuardVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        List<Guard> guards = options.guards();
        Guards database = Guards.over(this.database.dataSource(terminal));
        List<Map<String, Object>> verified = new ArrayList<>();
        boolean well = true;
        for (Guard guard : guards) {
            List<Finding> findings = database.verify(guard);
            well &= findings.isEmpty();
            verified.add(Map.of("invariant", guard.invariant().name(), "findings", findings));
            if (!options.json()) {
                print(terminal, guard.invariant().name(), findings);
            }
        }
        int exitCode = well ? ExitCode.OK : ExitCode.VIOLATED;
        if (options.json()) {
            JsonOutput.print(terminal, "guard verify", exitCode, verified);
        }
        return exitCode;
    }

    static void print(Terminal terminal, String name, List<Finding> findings) {
        terminal.out().println(name + ": " + (findings.isEmpty() ? "as it should be" : "differs"));
        findings.forEach(
                finding -> terminal.out().println("  " + finding.toString().replace("\n", "\n  ")));
    }
}
