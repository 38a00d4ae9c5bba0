package dev.cerrojo.cli;

import dev.cerrojo.explorer.scenario.Nearest;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.invariant.Invariant;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which invariants a command is about. */
final class ContractOptions {
    @Parameters(
            paramLabel = "CONTRACT",
            description = "A file with invariants: a contract (docs/contract.schema.json) or a scenario.")
    private Path file = Path.of("");

    @Option(names = "--invariant", paramLabel = "NAME", description = "Only this invariant of the file.")
    private @Nullable String name;

    @Option(
            names = "--schema",
            paramLabel = "SCHEMA",
            description = "The schema of the tables that are not qualified. Default: public.")
    private String schema = "public";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(names = "--stacktrace", description = "Show the stack trace of an error.")
    private boolean stacktrace;

    List<Invariant> invariants() {
        List<Invariant> all = ScenarioReader.readContract(file).invariants();
        if (name == null) {
            return all;
        }
        List<Invariant> chosen =
                all.stream().filter(invariant -> invariant.name().equals(name)).toList();
        if (chosen.isEmpty()) {
            List<String> names = all.stream().map(Invariant::name).toList();
            throw CommandFailedException.usage(file + ": has no invariant \"" + name + "\""
                    + Nearest.to(name, names)
                            .map(near -> "; did you mean \"" + near + "\"?")
                            .orElse("")
                    + " (it has: " + String.join(", ", names) + ")");
        }
        return chosen;
    }

    String schema() {
        return schema;
    }

    boolean json() {
        return json;
    }

    /** Whoever shows errors asks the command line itself, since this may not have been read. */
    boolean stacktrace() {
        return stacktrace;
    }
}
