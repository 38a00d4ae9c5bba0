package dev.cerrojo.cli;

import dev.cerrojo.Actor;
import dev.cerrojo.explorer.scenario.Nearest;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.ownership.Ownership;
import dev.cerrojo.ownership.OwnershipOptions;
import dev.cerrojo.ownership.OwnershipTrigger;
import dev.cerrojo.ownership.TriggerMode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which ownerships a command is about, and how their triggers are made. */
final class OwnershipMixin {
    /** Who acts where a transaction does not say it. */
    enum Unsaid {
        EDITOR(Optional.of(Actor.EDITOR)),
        SYSTEM(Optional.of(Actor.SYSTEM)),
        REFUSE(Optional.empty());

        private final Optional<Actor> actor;

        Unsaid(Optional<Actor> actor) {
            this.actor = actor;
        }
    }

    @Parameters(
            paramLabel = "CONTRACT",
            description = "A file with ownership: a contract (docs/contract.schema.json) or a scenario.")
    private Path file = Path.of("");

    @Option(names = "--table", paramLabel = "TABLE", description = "Only this table of the file.")
    private @Nullable String table;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "reject: refuse writes to what is another's; preserve: keep it as it is. Default: reject.")
    private TriggerMode mode = TriggerMode.REJECT;

    @Option(
            names = "--unsaid",
            paramLabel = "ACTOR",
            description =
                    "Who acts where a transaction does not say it: editor, system, or refuse. Default: refuse in mode"
                            + " reject, editor in mode preserve.")
    private @Nullable Unsaid unsaid;

    @Option(
            names = "--schema",
            paramLabel = "SCHEMA",
            description = "The schema of the tables that are not qualified. Default: public.")
    private String schema = "public";

    @Mixin
    private final OwnSchemaOption ownSchema = new OwnSchemaOption();

    @Option(
            names = "--always",
            description = "Fire under session_replication_role = replica too, as restores and replication set it.")
    private boolean always;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, or json (docs/ownership-report.schema.json). Default: text.")
    private OutputOptions.Format format = OutputOptions.Format.TEXT;

    /** Whoever shows errors asks the command line itself, since this may not have been read. */
    @Option(names = "--stacktrace", description = "Show the stack trace of an error.")
    private boolean stacktrace;

    List<OwnershipTrigger> triggers() {
        OwnershipOptions options = options();
        return ownerships().stream()
                .map(ownership -> OwnershipTrigger.of(ownership, options))
                .toList();
    }

    private OwnershipOptions options() {
        OwnershipOptions ofMode = OwnershipOptions.of(mode);
        return ofMode.withUnsaid(unsaid == null ? ofMode.unsaid() : unsaid.actor)
                .withSchema(schema)
                .withOwnSchema(ownSchema.name())
                .withAlwaysEnabled(always);
    }

    private List<Ownership> ownerships() {
        List<Ownership> all = ScenarioReader.readContract(file).ownerships();
        if (all.isEmpty()) {
            throw CommandFailedException.usage(file + ": has no ownership: it says which fields of a table are whose");
        }
        List<Ownership> chosen = all.stream()
                .filter(ownership -> table == null || ownership.table().equals(table))
                .toList();
        if (chosen.isEmpty()) {
            List<String> names = all.stream().map(Ownership::table).toList();
            throw CommandFailedException.usage(file + ": has no ownership of \"" + table + "\""
                    + Nearest.to(String.valueOf(table), names)
                            .map(near -> "; did you mean \"" + near + "\"?")
                            .orElse("")
                    + " (it has: " + String.join(", ", names) + ")");
        }
        return chosen;
    }

    boolean json() {
        return format == OutputOptions.Format.JSON;
    }

    boolean stacktrace() {
        return stacktrace;
    }
}
