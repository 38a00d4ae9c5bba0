package dev.cerrojo.cli;

import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.GuardOptions;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which guards a command is about. */
final class GuardOptionsMixin {
    @Mixin
    private final ContractOptions contract = new ContractOptions();

    @Mixin
    private final OwnSchemaOption ownSchema = new OwnSchemaOption();

    @Option(names = "--deferred", description = "Check at COMMIT instead of after each statement.")
    private boolean deferred;

    @Option(
            names = "--always",
            description = "Fire under session_replication_role = replica too, as restores and replication set it.")
    private boolean always;

    List<Guard> guards() {
        GuardOptions options = new GuardOptions(contract.schema(), ownSchema.name(), deferred, always);
        return contract.invariants().stream()
                .map(invariant -> Guard.of(invariant, options))
                .toList();
    }

    boolean json() {
        return contract.json();
    }

    SQLException explained(Guard guard, SQLException failure) {
        return contract.explained(guard.invariant(), failure);
    }
}
