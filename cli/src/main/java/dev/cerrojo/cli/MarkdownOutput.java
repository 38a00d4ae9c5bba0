package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.database.FreeDatabase;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.project.Project;
import dev.cerrojo.explorer.project.ProjectReader;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.report.CheckReport;
import dev.cerrojo.explorer.report.Circumstances;
import dev.cerrojo.explorer.report.MarkdownReport;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.stress.StressReport;
import dev.cerrojo.explorer.stress.StressTest;
import dev.cerrojo.invariant.Invariant;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Makes the Markdown report of a command, when one is asked for. */
final class MarkdownOutput {
    private final MarkdownOptions options;
    private final FileOptions files;
    private final Optional<String> url;
    private final List<String> command;
    private final MarkdownReport report = new MarkdownReport(Version.text());
    private final Set<String> added = new HashSet<>();

    /**
     * Makes an output.
     *
     * @param url where the user's server is, if it is one
     * @param words the command line
     */
    MarkdownOutput(MarkdownOptions options, FileOptions files, Optional<String> url, List<String> words) {
        this.options = options;
        this.files = files;
        this.url = url;
        this.command = shown(words);
    }

    /** User and password stand in the parameters of a URL. */
    private static List<String> shown(List<String> words) {
        List<String> shown = new ArrayList<>(List.of("./cerrojo"));
        words.forEach(word -> shown.add(word.contains("jdbc:") ? UserServer.withoutParameters(word) : word));
        return shown;
    }

    /** {@return whether there is to be such a report} */
    boolean isWanted() {
        return options.file().isPresent();
    }

    /**
     * Adds what was found of a file, with all that is found out for this report alone.
     *
     * @param doom the moment from which the witness is lost, if there is one
     * @param written the files that the command has written besides
     * @throws SQLException if the server fails
     */
    void add(CheckReport check, RepairReport repair, Optional<Doom> doom, Bench bench, List<Path> written)
            throws SQLException {
        if (!isWanted()) {
            return;
        }
        Scenario scenario = repair.base().scenario();
        List<String> tables = tables(bench.server(), scenario);
        Counted counted = counted(repair, bench);
        List<Path> all = new ArrayList<>(written);
        all.addAll(files.named());
        report.add(
                check,
                repair,
                doom,
                new Circumstances(
                        url.map(UserServer::withoutParameters).orElse("an embedded one"),
                        tables,
                        project(tables),
                        counted.stress(),
                        counted.reason(),
                        all.stream().map(Path::toString).toList(),
                        command));
        added.add(scenario.file());
    }

    private static List<String> tables(Server server, Scenario scenario) throws SQLException {
        Set<String> tables = new TreeSet<>();
        try (FreeDatabase database = FreeDatabase.open(server, scenario)) {
            for (Invariant invariant : scenario.invariants()) {
                tables.addAll(database.tablesOf(invariant.violationSql()));
            }
        }
        return List.copyOf(tables);
    }

    private Optional<Project> project(List<String> tables) {
        return options.project().map(folder -> {
            try {
                return ProjectReader.read(folder, tables);
            } catch (IOException e) {
                throw new CommandFailedException(
                        ExitCode.ENVIRONMENT, "cannot read the project " + folder + ": " + e, e);
            }
        });
    }

    /** What the retry test counted, or why there is none. */
    private record Counted(Optional<StressReport> stress, Optional<String> reason) {}

    private Counted counted(RepairReport repair, Bench bench) throws SQLException {
        Optional<String> impossible = StressTest.impossible(repair);
        return impossible.isPresent()
                ? new Counted(Optional.empty(), impossible)
                : new Counted(
                        Optional.of(new StressTest(bench.server(), options.stress()).of(repair)), Optional.empty());
    }

    /** Writes it, with those files too of which nothing was found. */
    void write(List<Path> asked) {
        options.file().ifPresent(file -> {
            asked.stream()
                    .map(Path::toString)
                    .filter(name -> !added.contains(name))
                    .forEach(name -> report.addFailure(name, "The command's own output says why."));
            FileOptions.write(file, report.document());
        });
    }
}
