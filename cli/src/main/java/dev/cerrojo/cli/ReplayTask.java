package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.report.ReplayReport;
import dev.cerrojo.explorer.report.ReplayText;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * Runs one schedule of a scenario and shows it.
 *
 * @param token the schedule
 * @param options what a replay must repeat
 * @param specifications does it with specifications
 */
record ReplayTask(ReplayToken token, List<String> options, SpecTask specifications) implements FileTask {
    @Override
    public SpecTask ofSpecification(String file) {
        return specifications;
    }

    @Override
    public Done run(Scenario scenario, Bench bench) throws SQLException {
        bench.progress().begin(scenario.file());
        Checker checker = bench.checker();
        ReplayReport report = new ReplayReport(
                scenario, token, replayed(checker, scenario), bench.server().version(), options);
        bench.print(look -> ReplayText.of(report, look));
        return new Done(
                report.witness().execution().isViolation() ? ExitCode.VIOLATED : ExitCode.OK,
                Map.of("replay", ReportJson.replay(report)));
    }

    private RunResult.Witness replayed(Checker checker, Scenario scenario) throws SQLException {
        try {
            return checker.replay(scenario, token);
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(ExitCode.USAGE, scenario.file() + ": " + e.getMessage(), e);
        }
    }
}
