package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.project.Project;
import dev.cerrojo.explorer.stress.StressReport;
import java.util.List;
import java.util.Optional;

/**
 * What a Markdown report tells beside what a repair found.
 *
 * @param server where it ran, in words: {@code an embedded server}, or a URL without user and password
 * @param tables the tables that the invariants read, as SQL names them
 * @param project what a project's files say, if one was named
 * @param stress what was counted of many operations at once, if they were run
 * @param noStress why they were not run, if so; half a sentence
 * @param filesWritten the files that the command wrote beside this report
 * @param command the words of the command line, without passwords
 */
public record Circumstances(
        String server,
        List<String> tables,
        Optional<Project> project,
        Optional<StressReport> stress,
        Optional<String> noStress,
        List<String> filesWritten,
        List<String> command) {
    /** Copies the lists. */
    public Circumstances {
        tables = List.copyOf(tables);
        filesWritten = List.copyOf(filesWritten);
        command = List.copyOf(command);
    }
}
