package dev.cerrojo.cli;

import dev.cerrojo.explorer.report.HtmlReport;
import dev.cerrojo.explorer.report.ReportCase;
import dev.cerrojo.explorer.report.ReportCases;
import dev.cerrojo.explorer.report.ReportJson;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.spec.Spec;
import dev.cerrojo.explorer.spec.SpecReader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Does one task with several files on one server. A file that fails does not keep the others from their turn. */
final class Batch {
    private final String command;
    private final Terminal terminal;
    private final Interruption interruption;
    private final CommonOptions options;
    private final ProgressLine progress;
    private final HtmlReport page;
    private final List<ReportCase> cases = new ArrayList<>();
    private final List<ReportJson.FileEntry> entries = new ArrayList<>();
    private int exitCode = ExitCode.OK;
    private Optional<ReportJson.Postgres> postgres = Optional.empty();

    Batch(String command, Terminal terminal, Interruption interruption, CommonOptions options) {
        this.command = command;
        this.terminal = terminal;
        this.interruption = interruption;
        this.options = options;
        this.progress = new ProgressLine(terminal, interruption);
        this.page = new HtmlReport(command, Version.text());
    }

    /**
     * Reads every file, then runs the task with those that are good.
     *
     * @param choose picks what of a scenario is worked on
     * @return what the command ends with
     */
    int run(List<Path> files, UnaryOperator<Scenario> choose, FileTask task) {
        options.check(terminal);
        long started = System.nanoTime();
        List<Input> inputs =
                files.stream().map(file -> read(file, choose, task)).toList();
        try {
            if (inputs.stream().anyMatch(input -> input.failure().isEmpty())) {
                work(inputs);
            } else {
                inputs.forEach(input -> fail(input.file(), input.failure().orElseThrow()));
            }
        } finally {
            progress.erase();
        }
        if (options.output().json()) {
            Duration elapsed = Duration.ofNanos(System.nanoTime() - started);
            terminal.out()
                    .println(ReportJson.document(
                            new ReportJson.Head(command, Version.text(), postgres, exitCode, elapsed), entries));
        }
        options.files().write(page, cases);
        FileOptions.tellWorkflow(command, cases, terminal);
        return exitCode;
    }

    /** What is done with a file that is good. */
    private record Work(String title, Job job) {}

    @FunctionalInterface
    private interface Job {
        FileTask.Done run(Bench bench) throws SQLException;
    }

    /** A file, and what is done with it or why nothing can be. */
    private record Input(String file, Optional<Work> work, Optional<Throwable> failure) {}

    private static Input read(Path file, UnaryOperator<Scenario> choose, FileTask task) {
        try {
            return new Input(file.toString(), Optional.of(work(file, choose, task)), Optional.empty());
        } catch (RuntimeException e) {
            return new Input(file.toString(), Optional.empty(), Optional.of(e));
        }
    }

    private static Work work(Path file, UnaryOperator<Scenario> choose, FileTask task) {
        if (SpecTask.isSpecification(file)) {
            SpecTask specTask = task.ofSpecification(file.toString());
            Spec spec = specTask.chosen(SpecReader.read(file));
            return new Work(String.valueOf(file.getFileName()), bench -> specTask.run(spec, bench));
        }
        Scenario scenario = choose.apply(ScenarioReader.read(file));
        return new Work(scenario.title(), bench -> task.run(scenario, bench));
    }

    private void work(List<Input> inputs) {
        try (Workshop workshop = Workshop.open(options.server(), terminal)) {
            interruption.lastResort(workshop::dropLeftovers);
            postgres = Optional.of(new ReportJson.Postgres(workshop.server().version(), workshop.isEmbedded()));
            Bench bench = new Bench(workshop.server(), options, progress, terminal);
            prepareFor(inputs, 0, workshop);
            for (int i = 0; i < inputs.size(); i++) {
                Input input = inputs.get(i);
                interruption.throwIfRequested();
                prepareFor(inputs, i + 1, workshop);
                input.failure().ifPresent(failure -> fail(input.file(), failure));
                input.work().ifPresent(work -> work(input.file(), work, bench));
            }
        }
    }

    private static void prepareFor(List<Input> inputs, int next, Workshop workshop) {
        if (next < inputs.size() && inputs.get(next).work().isPresent()) {
            workshop.prepare();
        }
    }

    private void work(String file, Work work, Bench bench) {
        try {
            FileTask.Done done = work.job().run(bench);
            ended(new ReportJson.FileEntry(file, Optional.of(work.title()), done.exitCode(), done.json()));
            done.page().accept(page);
            cases.addAll(done.cases().isEmpty() ? List.of(only(file, done.exitCode())) : done.cases());
        } catch (Interruption.InterruptedCommandException e) {
            throw e;
        } catch (SQLException | RuntimeException | StackOverflowError e) {
            fail(file, e);
        }
    }

    private ReportCase only(String file, int exitCode) {
        return ReportCases.only(
                file,
                command,
                switch (exitCode) {
                    case ExitCode.OK -> ReportCase.Result.PASSED;
                    case ExitCode.VIOLATED -> ReportCase.Result.VIOLATED;
                    case ExitCode.INCONCLUSIVE -> ReportCase.Result.INCONCLUSIVE;
                    default -> ReportCase.Result.FAILED;
                });
    }

    private void fail(String file, Throwable thrown) {
        Failure failure = Failure.of(thrown);
        if (interruption.explains(failure)) {
            throw new Interruption.InterruptedCommandException();
        }
        progress.erase();
        new ErrorOutput(terminal, options.output().stacktrace()).print(failure, thrown);
        ended(ReportJson.FileEntry.failed(file, failure.exitCode(), failure.message()));
        page.addFailure(file, failure.message());
        cases.add(
                failure.exitCode() == ExitCode.INCONCLUSIVE
                        ? only(file, failure.exitCode())
                        : ReportCases.failed(file, failure.message()));
    }

    private void ended(ReportJson.FileEntry entry) {
        entries.add(entry);
        exitCode = ExitCode.worst(exitCode, entry.exitCode());
    }
}
