package dev.cerrojo.cli;

import dev.cerrojo.explorer.report.HtmlReport;
import dev.cerrojo.explorer.report.ReportCase;
import dev.cerrojo.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a command does with each of its files. */
@FunctionalInterface
interface FileTask {
    /**
     * Does it.
     *
     * @throws SQLException if the server fails
     */
    Done run(Scenario scenario, Bench bench) throws SQLException;

    /**
     * Tells what it does with a specification of PostgreSQL's isolation tester.
     *
     * @throws CommandFailedException if it is about scenarios only
     */
    default SpecTask ofSpecification(String file) {
        throw CommandFailedException.usage(
                file + ": is a specification of PostgreSQL's isolation tester, and this is about"
                        + " scenario files; check explores specifications, alone and with --isolation, --replay or --as-listed");
    }

    /**
     * What came of it.
     *
     * @param exitCode what this file alone would end the command with
     * @param json what a JSON report says of the file
     * @param cases what was examined, for machines; none when only the exit code tells
     * @param page adds the file to an HTML report, when one is written
     */
    record Done(int exitCode, Map<String, Object> json, List<ReportCase> cases, Consumer<HtmlReport> page) {
        /** One that stands in no HTML report. */
        Done(int exitCode, Map<String, Object> json, List<ReportCase> cases) {
            this(exitCode, json, cases, page -> {});
        }

        /** One of which only the exit code tells machines. */
        Done(int exitCode, Map<String, Object> json) {
            this(exitCode, json, List.of());
        }
    }
}
