package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.SearchComparison;
import dev.cerrojo.explorer.report.ReductionText;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Explores a scenario exhaustively and reduced, and compares what they find. */
final class ReductionTask implements FileTask {
    @Override
    public Done run(Scenario scenario, Bench bench) throws SQLException {
        bench.progress().begin(scenario.file());
        List<SearchComparison> comparisons = bench.reductionCheck().check(scenario);
        bench.print(look -> ReductionText.of(scenario.file(), comparisons, look));
        int code = comparisons.stream()
                .map(comparison -> exitCode(comparison.result()))
                .reduce(ExitCode.OK, ExitCode::worst);
        return new Done(code, Map.of("reduction", ReportJson.reduction(comparisons)));
    }

    private static int exitCode(SearchComparison.Result result) {
        return switch (result) {
            case EQUAL -> ExitCode.OK;
            case DIFFERENT -> ExitCode.VIOLATED;
            case UNDECIDED -> ExitCode.INCONCLUSIVE;
        };
    }
}
