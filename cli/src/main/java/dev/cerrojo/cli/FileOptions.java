package dev.cerrojo.cli;

import dev.cerrojo.explorer.report.HtmlReport;
import dev.cerrojo.explorer.report.JunitXml;
import dev.cerrojo.explorer.report.ReportCase;
import dev.cerrojo.explorer.report.Sarif;
import dev.cerrojo.explorer.report.WorkflowReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Files that a command writes beside what it prints. */
final class FileOptions {
    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a report as one HTML file too, to be opened from a folder, attached or printed.")
    private @Nullable Path html;

    @Option(
            names = "--junit-xml",
            paramLabel = "FILE",
            description = "Write what was examined as JUnit's XML too, a test case each.")
    private @Nullable Path junitXml;

    @Option(
            names = "--sarif",
            paramLabel = "FILE",
            description = "Write what was found as SARIF 2.1.0 too, for code scanning.")
    private @Nullable Path sarif;

    Optional<Path> html() {
        return Optional.ofNullable(html);
    }

    /** {@return the files that were asked for} */
    List<Path> named() {
        return Stream.of(Optional.ofNullable(html), Optional.ofNullable(junitXml), Optional.ofNullable(sarif))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Writes what was asked for, each into its file. */
    void write(HtmlReport page, List<ReportCase> cases) {
        html().ifPresent(file -> write(file, page.document()));
        Optional.ofNullable(junitXml).ifPresent(file -> write(file, JunitXml.of(cases)));
        Optional.ofNullable(sarif).ifPresent(file -> write(file, Sarif.of(Version.text(), cases)));
    }

    /** In a workflow of GitHub Actions: annotates the files, and adds to the summary of the job. */
    static void tellWorkflow(String command, List<ReportCase> cases, Terminal terminal) {
        if (terminal.variable("GITHUB_ACTIONS").filter("true"::equals).isEmpty()) {
            return;
        }
        // a report in JSON has the other stream for itself; workflow commands are read from both
        terminal.err().print(WorkflowReport.annotations(cases));
        terminal.err().flush();
        terminal.variable("GITHUB_STEP_SUMMARY")
                .ifPresent(file -> write(
                        Path.of(file),
                        WorkflowReport.summary(command, cases),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND));
    }

    static void write(Path file, String text, OpenOption... how) {
        try {
            @Nullable Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, text, how);
        } catch (IOException e) {
            throw new CommandFailedException(ExitCode.ENVIRONMENT, "cannot write " + file + ": " + e, e);
        }
    }
}
