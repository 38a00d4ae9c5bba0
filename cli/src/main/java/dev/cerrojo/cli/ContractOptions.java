package dev.cerrojo.cli;

import dev.cerrojo.explorer.scenario.Nearest;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.invariant.Invariant;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which invariants a command is about. */
final class ContractOptions {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

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

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "text, or json (docs/guard-report.schema.json). Default: text.")
    private OutputOptions.Format format = OutputOptions.Format.TEXT;

    @Option(names = "--stacktrace", description = "Show the stack trace of an error.")
    private boolean stacktrace;

    List<Invariant> invariants() {
        List<Invariant> all = ScenarioReader.readContract(file).invariants();
        if (all.isEmpty()) {
            throw CommandFailedException.usage(file + ": has no invariant, only something else");
        }
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
        return format == OutputOptions.Format.JSON;
    }

    /** {@return why the database cannot be asked about an invariant: as a mistake in the file when it names what is not there} */
    SQLException explained(Invariant invariant, SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        if (!state.startsWith("42") || state.equals(INSUFFICIENT_PRIVILEGE)) {
            return failure;
        }
        throw new CommandFailedException(
                ExitCode.USAGE,
                "%s: invariant %s does not fit the database: %s (SQLSTATE %s); look at its names, and at --schema %s"
                        .formatted(file, invariant.name(), firstLine(failure), state, schema),
                failure);
    }

    private static String firstLine(SQLException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    /** Whoever shows errors asks the command line itself, since this may not have been read. */
    boolean stacktrace() {
        return stacktrace;
    }
}
