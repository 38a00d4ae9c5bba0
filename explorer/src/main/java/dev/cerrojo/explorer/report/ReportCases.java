package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.report.ReportCase.Result;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Repair;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.search.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Makes cases of what was found. What ends a command with something else than 0 is a case that did not pass. */
public final class ReportCases {
    private ReportCases() {}

    /**
     * The runs of a scenario.
     *
     * @param report what was found
     * @return a case for each
     */
    public static List<ReportCase> of(CheckReport report) {
        return report.result().runs().stream()
                .map(run -> run(report.result().scenario(), run, token -> Optional.of(report.replayCommand(token))))
                .toList();
    }

    private static ReportCase run(Scenario scenario, RunResult run, Function<ReplayToken, Optional<String>> replay) {
        return new ReportCase(
                scenario.file(),
                run.run().at().line(),
                "run: " + CheckText.sessions(run.run()),
                result(run.exploration().verdict()),
                message(run.exploration()),
                run.witness()
                        .map(witness -> schedule(scenario, witness, replay))
                        .orElse(""),
                run.exploration().elapsed());
    }

    private static Result result(Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> Result.PASSED;
            case VIOLATED -> Result.VIOLATED;
            case INCONCLUSIVE -> Result.INCONCLUSIVE;
        };
    }

    private static String message(Exploration found) {
        String schedules = Words.schedules(found.schedules());
        return switch (found.verdict()) {
            case HOLDS -> "no violation in " + schedules;
            case VIOLATED ->
                Words.number(found.violating()) + " of " + schedules + (found.violating() == 1 ? " ends" : " end")
                        + " with " + broken(found) + " violated";
            case INCONCLUSIVE ->
                "no violation in " + schedules + ", but that was not all of them: "
                        + found.reason().map(Printable::of).orElse("the search was ended early");
        };
    }

    private static String broken(Exploration found) {
        return Words.list(
                found.witness().stream()
                        .flatMap(witness -> witness.violations().stream())
                        .map(Violation::invariant)
                        .distinct()
                        .toList(),
                "and");
    }

    private static String schedule(
            Scenario scenario, RunResult.Witness witness, Function<ReplayToken, Optional<String>> replay) {
        Page page = new Page(Look.plain());
        Timeline.draw(page, scenario, witness.run(), witness.execution());
        ViolatingRows.draw(page, scenario, witness.execution());
        replay.apply(witness.token()).ifPresent(command -> {
            page.blank();
            page.line("Run it again:  " + command);
        });
        return page.toString();
    }

    /**
     * What a repair's file expects; when it expects nothing, the runs of the scenario as it stands.
     *
     * @param check what was found in the scenario as it stands: the report's own base
     * @param repair what was found of its repairs
     * @return at least one case
     */
    public static List<ReportCase> of(CheckReport check, RepairReport repair) {
        List<ReportCase> cases = new ArrayList<>();
        CheckResult base = repair.base();
        base.scenario()
                .expect()
                .ifPresent(expectation -> cases.add(expectation(
                        base.scenario().file(), Optional.empty(), expectation, Judgement.of(expectation, base), base)));
        for (CandidateResult candidate : repair.candidates()) {
            for (Cell cell : candidate.cells()) {
                cell.expectation()
                        .ifPresent(expectation -> cases.add(expectation(
                                base.scenario().file(),
                                named(base.scenario(), candidate.candidate().name()),
                                expectation,
                                cell.judgement().orElseThrow(),
                                cell.result())));
            }
        }
        return cases.isEmpty() ? of(check) : cases;
    }

    private static Optional<Repair> named(Scenario scenario, String name) {
        return scenario.repairs().stream()
                .filter(repair -> repair.name().equals(name))
                .findFirst();
    }

    /**
     * Expectations of a file.
     *
     * @param scenario the file
     * @param judged what was found of each
     * @return a case for each
     */
    public static List<ReportCase> of(Scenario scenario, List<ExpectationCase> judged) {
        return judged.stream()
                .map(one -> expectation(
                        one.file(),
                        one.repair().flatMap(name -> named(scenario, name)),
                        one.expectation(),
                        one.judgement(),
                        one.result()))
                .toList();
    }

    private static ReportCase expectation(
            String file, Optional<Repair> repair, Expectation expectation, Judgement judgement, CheckResult found) {
        String what =
                repair.map(one -> "repair \"" + Printable.of(one.name()) + "\"").orElse("as it stands");
        Result result = switch (judgement) {
            case MET -> Result.PASSED;
            case NOT_MET -> Result.UNEXPECTED;
            case UNDECIDED -> Result.INCONCLUSIVE;
        };
        return new ReportCase(
                file,
                repair.map(one -> one.at().line())
                        .orElse(found.scenario().runs().get(0).at().line()),
                what + ": expected " + expectation.word(),
                result,
                what + ": expected " + expectation.word() + ", found "
                        + found.verdict().word() + (found.deadlocking() > 0 ? " with deadlocks" : "") + " in "
                        + Words.schedules(found.schedules()) + reasons(found),
                found.shortestWitness()
                        .flatMap(RunResult::witness)
                        .map(witness -> schedule(found.scenario(), witness, token -> Optional.empty()))
                        .orElse(""),
                found.runs().stream().map(run -> run.exploration().elapsed()).reduce(Duration.ZERO, Duration::plus));
    }

    private static String reasons(CheckResult found) {
        return found.reasons().isEmpty() ? "" : " (" + Printable.of(String.join("; ", found.reasons())) + ")";
    }

    /**
     * A file that could not be examined.
     *
     * @param file the file, as it was named
     * @param message why; a line number behind the file's name is heeded
     * @return the case
     */
    public static ReportCase failed(String file, String message) {
        String text = Printable.lines(message);
        return new ReportCase(
                file,
                line(file, text),
                "the file",
                Result.FAILED,
                text.lines().findFirst().orElse("failed"),
                text,
                Duration.ZERO);
    }

    /** Problems begin with the file's name and the line: {@code shift.yaml:3: …}. */
    private static int line(String file, String message) {
        String start = Printable.of(file) + ":";
        if (!message.startsWith(start)) {
            return 1;
        }
        String digits = message.substring(start.length()).replaceFirst("(?s)\\D.*", "");
        return digits.isEmpty() || digits.length() > 9 ? 1 : Integer.parseInt(digits);
    }

    /**
     * A file of which only the verdict is known.
     *
     * @param file the file, as it was named
     * @param name what was examined
     * @param result what came of it
     * @return the case
     */
    public static ReportCase only(String file, String name, Result result) {
        return new ReportCase(file, 1, name, result, name + ": " + result.rule(), "", Duration.ZERO);
    }
}
