package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.project.Project;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.report.MarkdownReport.Facts;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.stress.Pass;
import dev.cerrojo.explorer.stress.StressReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sections of a Markdown report about what was done, what that shows and what it does not. */
final class ClosingSections {
    private static final String GOOD = "✔";
    private static final String BAD = "✘";
    private static final String OPEN = "?";

    private final MarkdownPage page;
    private final Facts facts;
    private final CheckResult base;

    ClosingSections(MarkdownPage page, Facts facts) {
        this.page = page;
        this.facts = facts;
        this.base = facts.check().result();
    }

    void write() {
        page.section("Files modified");
        List<String> files = facts.around().filesWritten();
        if (files.isEmpty()) {
            page.paragraph("None but this report.");
        } else {
            page.items(files.stream().map(Markdown::code).toList());
        }
        page.section("Commands executed").code("sh", commands());
        page.section("Validation").table(List.of("", "What was verified", "Found"), validation());
        page.section("Remaining risks");
        itemsOr(risks(), "None that this run shows.");
        page.section("Important notes").items(notes());
    }

    private void itemsOr(List<String> items, String none) {
        if (items.isEmpty()) {
            page.paragraph(none);
        } else {
            page.items(items);
        }
    }

    private String commands() {
        StringBuilder commands =
                new StringBuilder(ShellWords.line(facts.around().command())).append('\n');
        base.shortestWitness()
                .flatMap(run -> run.witness())
                .ifPresent(shown -> commands.append("# to see the violation again\n")
                        .append(facts.check().replayCommand(shown.token()))
                        .append('\n'));
        RunExamples.deadlock(base)
                .ifPresent(shown -> commands.append("# to see a deadlock again\n")
                        .append(facts.check().replayCommand(shown.token()))
                        .append('\n'));
        return commands.toString();
    }

    // ---------------------------------------------------------------- what was verified

    private List<List<String>> validation() {
        List<List<String>> rows = new ArrayList<>();
        boolean complete = CheckJson.isComplete(base);
        rows.add(List.of(
                complete ? GOOD : OPEN,
                "the file as it stands was explored",
                Words.schedules(base.schedules())
                        + (complete ? ", which is all that can be told apart" : ", not all")));
        base.scenario()
                .expect()
                .ifPresent(expected -> rows.add(
                        judged("the file expects " + Markdown.code(expected.word()), Judgement.of(expected, base))));
        own().ifPresent(rows::add);
        facts.repair().recommendedCell().ifPresent(cell -> recommended(cell, rows));
        facts.around().stress().ifPresent(report -> stress(report, rows));
        return rows;
    }

    private static List<String> judged(String what, Judgement judgement) {
        String sign = judgement == Judgement.MET ? GOOD : judgement == Judgement.NOT_MET ? BAD : OPEN;
        return List.of(sign, what, RepairText.judged(judgement).text());
    }

    /** What the file expects of its own repairs, in one row. */
    private Optional<List<String>> own() {
        List<Judgement> judgements =
                cells().flatMap(cell -> cell.judgement().stream()).toList();
        if (judgements.isEmpty()) {
            return Optional.empty();
        }
        long met = judgements.stream().filter(Judgement.MET::equals).count();
        Judgement worst = judgements.contains(Judgement.NOT_MET)
                ? Judgement.NOT_MET
                : met == judgements.size() ? Judgement.MET : Judgement.UNDECIDED;
        return Optional.of(List.of(
                judged("", worst).get(0),
                "what the file expects of its own repairs",
                met + " of " + judgements.size() + " met"));
    }

    private Stream<Cell> cells() {
        return facts.repair().candidates().stream().flatMap(result -> result.cells().stream());
    }

    private void recommended(Cell cell, List<List<String>> rows) {
        String what = Markdown.code(recommendedId()) + " at " + ExplanationText.isolation(cell);
        rows.add(List.of(
                cell.result().verdict() == Verdict.HOLDS ? GOOD : OPEN,
                what + " was explored",
                Words.schedules(cell.result().schedules()) + ", "
                        + Words.number(cell.result().violating()) + " violating, "
                        + Words.number(cell.result().deadlocking()) + " deadlocking"));
        rows.add(cell.inside()
                .map(pass -> List.of(
                        pass.isComplete() ? GOOD : OPEN,
                        what + ", stopped inside of statements and COMMITs",
                        Markdown.text(ExplanationText.insideSentence(pass))))
                .orElse(List.of(OPEN, what + ", stopped inside of statements and COMMITs", "not tried")));
    }

    private String recommendedId() {
        return facts.repair().recommendation().orElseThrow().candidate().id();
    }

    private static void stress(StressReport report, List<List<String>> rows) {
        Pass last = report.last();
        String what = last.protection().isEmpty() ? "as the file stands" : "with " + Markdown.code(last.protection());
        rows.add(List.of(
                report.unjudged().isPresent() ? OPEN : last.violations().isEmpty() ? GOOD : BAD,
                "the invariants hold after " + Words.number(report.asked().operations()) + " operations at once, "
                        + what,
                report.unjudged().isPresent()
                        ? "cannot be judged: " + Markdown.text(report.unjudged().orElseThrow())
                        : last.violations().isEmpty()
                                ? "none is violated"
                                : last.violations().stream()
                                        .map(StressSection::violation)
                                        .collect(Collectors.joining(", "))));
        rows.add(List.of(
                last.isCountedAlike() ? GOOD : BAD,
                "callers and the database count the same commits",
                Words.number(last.committed()) + " and " + Words.number(last.ledger())));
        rows.add(List.of(
                last.afterCommit().isExact() ? GOOD : BAD,
                "each commit has its side effect once, by " + Markdown.code("afterCommit"),
                Words.number(last.afterCommit().done()) + " done, "
                        + Words.number(last.afterCommit().duplicates()) + " duplicate"));
    }

    // ---------------------------------------------------------------- what remains

    private List<String> risks() {
        List<String> risks = new ArrayList<>();
        facts.repair()
                .recommendation()
                .ifPresent(given -> given.risks().forEach(risk -> risks.add(Markdown.text(risk))));
        if (facts.repair().recommendation().isEmpty() && base.verdict() == Verdict.VIOLATED) {
            risks.add("Nothing is recommended, so the violation stands.");
        }
        facts.around().project().ifPresent(project -> unguarded(project, risks));
        inconclusive().ifPresent(risks::add);
        facts.around().stress().ifPresent(report -> stressRisks(report.last(), risks));
        return risks;
    }

    private static void unguarded(Project project, List<String> risks) {
        List<Project.Writer> program = project.writers().stream()
                .filter(writer -> writer.use() == Project.Use.PROGRAM)
                .toList();
        if (!program.isEmpty()) {
            risks.add(Words.count(program.size(), "source file writes", "source files write")
                    + " the guarded tables; whether they do what the transactions of this file do was not looked at.");
        }
    }

    private Optional<String> inconclusive() {
        List<String> open = facts.repair().candidates().stream()
                .flatMap(result -> result.cells().stream()
                        .filter(cell -> cell.verdict() == Verdict.INCONCLUSIVE)
                        .map(cell -> Markdown.code(result.candidate().id()) + " at " + ExplanationText.isolation(cell)))
                .toList();
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of("Not decided, because a bound was hit: " + String.join(", ", open) + ".");
    }

    private static void stressRisks(Pass last, List<String> risks) {
        if (!last.failed().isEmpty()) {
            risks.add("Under load, operations ended with errors that are neither a refusal nor retried: "
                    + last.failed().entrySet().stream()
                            .map(entry -> Words.sqlState(entry.getKey()) + " (" + entry.getValue() + ")")
                            .collect(Collectors.joining(", "))
                    + ".");
        }
        if (last.deadlockVictims() > last.injected().lockOrders()) {
            risks.add(Words.count(
                            last.deadlockVictims() - (long) last.injected().lockOrders(),
                            "deadlock was",
                            "deadlocks were")
                    + " seen under load beside those injected.");
        }
        if (last.exhausted() > 0) {
            risks.add(Words.count(last.exhausted(), "operation", "operations")
                    + " of the retry test spent all attempts, where "
                    + Words.number(last.injected().failures())
                    + " failures were injected: callers must expect that end.");
        }
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        Limits.sentences(base.verdict(), "scenario", facts.check().postgres())
                .forEach(text -> notes.add(Markdown.text(text)));
        base.reasons().forEach(reason -> notes.add("Left out: " + Markdown.text(reason) + "."));
        if (base.runs().stream().anyMatch(run -> run.exploration().reduced())) {
            notes.add(Markdown.text(CheckText.REDUCED));
        }
        facts.repair()
                .candidates()
                .forEach(result -> result.notBuilt()
                        .ifPresent(why -> notes.add(Markdown.code(
                                        result.candidate().id()) + " was not tried: " + Markdown.text(why) + ".")));
        facts.around()
                .noStress()
                .ifPresent(why -> notes.add("The retry and deadlock test was not run: " + Markdown.text(why) + "."));
        facts.around()
                .stress()
                .ifPresent(report -> notes.add("The retry and deadlock test repeats the file's sessions"
                        + " in each scope; its lock-order conflicts are about two tables that only it has."));
        facts.around().project().ifPresent(project -> project.notes().forEach(note -> notes.add(Markdown.text(note))));
        return notes;
    }
}
