package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Checker;
import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.report.CheckReport;
import dev.cerrojo.explorer.report.CheckText;
import dev.cerrojo.explorer.report.ReportCases;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Sample;
import dev.cerrojo.explorer.search.Shard;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Explores a scenario and reports.
 *
 * @param options what a replay must repeat
 * @param specifications does it with specifications
 * @param part what of each run is explored
 */
record CheckTask(List<String> options, SpecTask specifications, Part part) implements FileTask {
    /**
     * What of each run is explored: everything, unless something is given.
     *
     * @param shard one of several parts
     * @param sample some schedules by chance
     */
    record Part(Optional<Shard> shard, Optional<Sample> sample) {
        Checker of(Checker whole) {
            Checker checker = shard.map(whole::only).orElse(whole);
            return sample.map(checker::sampling).orElse(checker);
        }
    }

    @Override
    public SpecTask ofSpecification(String file) {
        return specifications;
    }

    @Override
    public Done run(Scenario scenario, Bench bench) throws SQLException {
        long started = System.nanoTime();
        bench.progress().begin(scenario.file());
        Checker checker = part.of(bench.checker().withSerialOrders());
        CheckResult result = checker.check(scenario, Goal.EVERY_SCHEDULE);
        CheckReport report = new CheckReport(
                result, bench.server().version(), Duration.ofNanos(System.nanoTime() - started), options);
        bench.print(look -> CheckText.of(report, look) + "\n");
        Optional<Doom> doom = bench.doom(result);
        return new Done(
                exitCode(result),
                Map.of("check", ReportJson.check(report)),
                ReportCases.of(report),
                page -> page.add(report, doom));
    }

    static int exitCode(CheckResult result) {
        return switch (result.verdict()) {
            case HOLDS -> ExitCode.OK;
            case VIOLATED -> ExitCode.VIOLATED;
            case INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
        };
    }
}
