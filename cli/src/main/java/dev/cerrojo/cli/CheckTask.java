package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.report.CheckReport;
import dev.cerrojo.explorer.report.CheckText;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Goal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Explores a scenario and reports.
 *
 * @param options what a replay must repeat
 * @param specifications does it with specifications
 */
record CheckTask(List<String> options, SpecTask specifications) implements FileTask {
    @Override
    public SpecTask ofSpecification(String file) {
        return specifications;
    }

    @Override
    public Done run(Scenario scenario, Bench bench) throws SQLException {
        long started = System.nanoTime();
        bench.progress().begin(scenario.file());
        Checker checker = bench.checker().withSerialOrders();
        CheckResult result = checker.check(scenario, Goal.EVERY_SCHEDULE);
        CheckReport report = new CheckReport(
                result, bench.server().version(), Duration.ofNanos(System.nanoTime() - started), options);
        bench.print(look -> CheckText.of(report, look) + "\n");
        return new Done(exitCode(result), Map.of("check", ReportJson.check(report)));
    }

    static int exitCode(CheckResult result) {
        return switch (result.verdict()) {
            case HOLDS -> ExitCode.OK;
            case VIOLATED -> ExitCode.VIOLATED;
            case INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
        };
    }
}
