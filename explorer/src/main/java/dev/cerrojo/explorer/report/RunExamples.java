package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.search.Execution;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Schedules worth showing that violate nothing. */
final class RunExamples {
    private RunExamples() {}

    /** {@return the shortest schedule of a run that deadlocks, ready to be shown} */
    static Optional<RunResult.Witness> deadlock(RunResult run) {
        return run.exploration().deadlock().map(execution -> shown(run, execution));
    }

    private static RunResult.Witness shown(RunResult run, Execution execution) {
        return new RunResult.Witness(run.run(), ReplayToken.of(run.number(), List.of(), execution.trace()), execution);
    }

    /** {@return the shortest schedule of a run that ends as no serial order does} */
    static Optional<RunResult.Witness> anomaly(RunResult run) {
        return run.exploration().serial().witness().map(execution -> shown(run, execution));
    }

    /** {@return the shortest one of all runs} */
    static Optional<RunResult.Witness> anomaly(CheckResult result) {
        return result.runs().stream()
                .flatMap(run -> anomaly(run).stream())
                .min(Comparator.comparingInt(
                        shown -> shown.execution().trace().schedule().switches()));
    }

    /** {@return the one of the first run that has one} */
    static Optional<RunResult.Witness> deadlock(CheckResult result) {
        return result.runs().stream().flatMap(run -> deadlock(run).stream()).findFirst();
    }
}
