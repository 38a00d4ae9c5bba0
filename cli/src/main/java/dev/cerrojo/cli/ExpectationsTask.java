package dev.cerrojo.cli;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.report.ExpectationCase;
import dev.cerrojo.explorer.report.ExpectationText;
import dev.cerrojo.explorer.report.ReportCases;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Repair;
import dev.cerrojo.explorer.scenario.Scenario;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compares what is found with what files expect: of themselves, and of each of their repairs. */
final class ExpectationsTask implements FileTask {
    private final @Nullable String onlyRepair;
    private final List<ExpectationCase> all = new ArrayList<>();
    private int files;

    /**
     * Makes the task.
     *
     * @param onlyRepair the one repair that counts; without it, everything does
     */
    ExpectationsTask(@Nullable String onlyRepair) {
        this.onlyRepair = onlyRepair;
    }

    @Override
    public Done run(Scenario scenario, Bench bench) throws SQLException {
        files++;
        List<ExpectationCase> cases = new ArrayList<>();
        if (onlyRepair == null && scenario.expect().isPresent()) {
            cases.add(judged(scenario, Optional.empty(), scenario.expect().orElseThrow(), bench));
        }
        for (Repair repair : scenario.repairs()) {
            if (repair.expect().isPresent()
                    && (onlyRepair == null || repair.name().equals(onlyRepair))) {
                cases.add(judged(
                        repair.repaired(),
                        Optional.of(repair.name()),
                        repair.expect().orElseThrow(),
                        bench));
            }
        }
        if (cases.isEmpty()) {
            bench.print(look -> ExpectationText.none(scenario.file(), look));
        }
        all.addAll(cases);
        int code = cases.stream().map(ExpectationsTask::exitCode).reduce(ExitCode.OK, ExitCode::worst);
        return new Done(code, Map.of("expectations", ReportJson.expectations(cases)), ReportCases.of(scenario, cases));
    }

    private static ExpectationCase judged(
            Scenario scenario, Optional<String> repair, Expectation expectation, Bench bench) throws SQLException {
        long started = System.nanoTime();
        bench.progress().begin(scenario.file() + repair.map(name -> ", " + name).orElse(""));
        CheckResult result = bench.checker().check(scenario, Judgement.goal(expectation));
        ExpectationCase judged = new ExpectationCase(
                scenario.file(), repair, expectation, result, Duration.ofNanos(System.nanoTime() - started));
        bench.print(look -> ExpectationText.line(judged, look));
        return judged;
    }

    private static int exitCode(ExpectationCase judged) {
        return exitCode(judged.judgement());
    }

    static int exitCode(Judgement judgement) {
        return switch (judgement) {
            case MET -> ExitCode.OK;
            case NOT_MET -> ExitCode.VIOLATED;
            case UNDECIDED -> ExitCode.INCONCLUSIVE;
        };
    }

    /** Prints the total. Nothing expected anywhere is a mistake: a regression test that tests nothing. */
    int finish(int exitCode, Terminal terminal, OutputOptions output) {
        if (!output.json()) {
            terminal.out().print(ExpectationText.total(all, files));
            terminal.out().flush();
        }
        return all.isEmpty() && files > 0 ? ExitCode.worst(exitCode, ExitCode.USAGE) : exitCode;
    }
}
