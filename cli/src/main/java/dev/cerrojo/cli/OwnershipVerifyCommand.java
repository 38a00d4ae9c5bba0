package dev.cerrojo.cli;

import dev.cerrojo.ownership.OwnershipTrigger;
import dev.cerrojo.ownership.OwnershipTriggers;
import dev.cerrojo.schema.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code cerrojo ownership verify}: compares the triggers of ownerships with a database. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Compares the triggers with what is in the database, and looks for columns that are nobody's. Ends"
                        + " with 1 when there is anything to tell.")
final class OwnershipVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private final OwnershipMixin options = new OwnershipMixin();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    OwnershipVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws SQLException {
        List<OwnershipTrigger> triggers = options.triggers();
        OwnershipTriggers database = OwnershipTriggers.over(this.database.dataSource(terminal));
        ContractReport<OwnershipTrigger> report = ContractReport.ofOwnerships(terminal);
        List<Map<String, Object>> verified = new ArrayList<>();
        boolean well = true;
        for (OwnershipTrigger trigger : triggers) {
            List<Finding> findings = database.verify(trigger);
            well &= findings.isEmpty();
            verified.add(report.entry(trigger, Map.of("findings", findings)));
            if (!options.json()) {
                GuardVerifyCommand.print(terminal, trigger.ownership().table(), findings);
            }
        }
        int exitCode = well ? ExitCode.OK : ExitCode.VIOLATED;
        if (options.json()) {
            report.print("ownership verify", exitCode, verified);
        }
        return exitCode;
    }
}
