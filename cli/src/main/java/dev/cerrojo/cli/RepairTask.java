package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.fix.WrittenFix;
import dev.cerrojo.explorer.repair.Measuring;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.report.CheckReport;
import dev.cerrojo.explorer.report.RepairText;
import dev.cerrojo.explorer.report.ReportCases;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Scenario;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tries every repair of a scenario and reports.
 *
 * @param inside whether repairs that hold between statements are tried inside of them too
 * @param measuring how it is measured what those cost that hold; not at all when empty
 * @param write writes the fix, if that was asked for
 * @param markdown takes what is found into a Markdown report
 */
record RepairTask(
        Repairer.Inside inside, Optional<Measuring> measuring, Optional<WriteTask> write, MarkdownOutput markdown)
        implements FileTask {
    @Override
    public Done run(Scenario scenario, Bench bench) throws SQLException {
        bench.progress().begin(scenario.file());
        RepairReport report = bench.repairer(inside, measuring).repair(scenario);
        CheckReport check = new CheckReport(report.base(), bench.server().version(), elapsed(report.base()), List.of());
        bench.print(look -> RepairText.of(check, report, look) + "\n");
        Optional<Doom> doom = bench.doom(report.base(), write.isPresent() || markdown.isWanted());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("repair", ReportJson.repair(check, report));
        int exitCode = exitCode(report);
        List<Path> written = List.of();
        if (write.isPresent()) {
            WrittenFix fix = write.orElseThrow().write(check, report, doom, bench);
            json.put("fix", WriteTask.json(fix));
            exitCode = ExitCode.worst(judged(report).orElse(ExitCode.OK), WriteTask.exitCode(fix));
            written = WriteTask.written(fix);
        }
        markdown.add(check, report, doom, bench, written);
        return new Done(exitCode, json, ReportCases.of(check, report), page -> page.add(check, report, doom));
    }

    static Duration elapsed(CheckResult result) {
        return result.runs().stream().map(run -> run.exploration().elapsed()).reduce(Duration.ZERO, Duration::plus);
    }

    /** By the file's expectations, when it has any; else by the verdict of the file as it stands. */
    static int exitCode(RepairReport report) {
        return judged(report).orElseGet(() -> CheckTask.exitCode(report.base()));
    }

    private static Optional<Integer> judged(RepairReport report) {
        List<Judgement> judgements = Stream.concat(
                        report.base().scenario().expect().stream()
                                .map(expectation -> Judgement.of(expectation, report.base())),
                        report.candidates().stream()
                                .flatMap(result -> result.cells().stream())
                                .flatMap(cell -> cell.judgement().stream()))
                .toList();
        return judgements.stream().map(ExpectationsTask::exitCode).reduce(ExitCode::worst);
    }
}
