package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.report.SpecReport;
import dev.cerrojo.explorer.report.SpecText;
import dev.cerrojo.explorer.spec.ListedRun;
import dev.cerrojo.explorer.spec.Spec;
import dev.cerrojo.explorer.spec.SpecResult;
import dev.cerrojo.tx.Isolation;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Explores a specification of PostgreSQL's isolation tester, runs one of its schedules, or runs it as listed.
 *
 * @param isolation the level to run every transaction at
 * @param repair the repair that was asked for, of which a specification has none
 * @param replay the schedule to run
 * @param asListed whether to do as the tester does
 * @param options what a replay must repeat
 */
record SpecTask(
        Optional<Isolation> isolation,
        Optional<String> repair,
        Optional<ReplayToken> replay,
        boolean asListed,
        List<String> options) {
    /** {@return whether a file is one, by its name} */
    static boolean isSpecification(Path file) {
        return file.toString().endsWith(".spec");
    }

    /** {@return what is explored of a file} */
    Spec chosen(Spec spec) {
        if (repair.isPresent()) {
            throw CommandFailedException.usage(
                    spec.file() + ": has no repairs: it is a specification of PostgreSQL's isolation tester");
        }
        return isolation.map(spec::withIsolation).orElse(spec);
    }

    FileTask.Done run(Spec spec, Bench bench) throws SQLException {
        if (asListed) {
            return runAsListed(spec, bench);
        }
        bench.progress().begin(spec.file());
        return replay.isPresent() ? replay(spec, replay.orElseThrow(), bench) : explore(spec, bench);
    }

    private FileTask.Done explore(Spec spec, Bench bench) throws SQLException {
        long started = System.nanoTime();
        SpecResult result = bench.specChecker().check(spec);
        SpecReport report = report(result, bench, started);
        bench.print(look -> SpecText.of(report, look) + "\n");
        int exitCode = switch (result.verdict()) {
            case HOLDS -> ExitCode.OK;
            case VIOLATED -> ExitCode.VIOLATED;
            case INCONCLUSIVE -> ExitCode.INCONCLUSIVE;
        };
        return new FileTask.Done(exitCode, Map.of("specification", ReportJson.specification(report)));
    }

    private SpecReport report(SpecResult result, Bench bench, long started) {
        return new SpecReport(result, bench.server().version(), Duration.ofNanos(System.nanoTime() - started), options);
    }

    private FileTask.Done replay(Spec spec, ReplayToken token, Bench bench) throws SQLException {
        long started = System.nanoTime();
        SpecResult.Shown shown = replayed(spec, token, bench);
        SpecReport report = report(new SpecResult(spec, List.of(), false), bench, started);
        bench.print(look -> SpecText.replay(report, shown, look));
        return new FileTask.Done(
                shown.execution().isViolation() ? ExitCode.VIOLATED : ExitCode.OK,
                Map.of("specificationReplay", ReportJson.specificationReplay(report, shown)));
    }

    private static SpecResult.Shown replayed(Spec spec, ReplayToken token, Bench bench) throws SQLException {
        try {
            return bench.specChecker().replay(spec, token);
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(ExitCode.USAGE, spec.file() + ": " + e.getMessage(), e);
        }
    }

    private static FileTask.Done runAsListed(Spec spec, Bench bench) throws SQLException {
        StringBuilder output = new StringBuilder();
        List<String> problems = new ListedRun(bench.server(), bench.printer().andThen(output::append)).run(spec);
        int exitCode = problems.isEmpty() ? ExitCode.OK : ExitCode.INCONCLUSIVE;
        return new FileTask.Done(exitCode, Map.of("listed", Map.of("output", output.toString(), "problems", problems)));
    }
}
