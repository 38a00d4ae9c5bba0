package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.GatedPass;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Execution;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One candidate as text: its idea, what it changes, and at each isolation level the schedule that breaks it. */
public final class ExplanationText {
    private final CheckReport base;
    private final CandidateResult result;
    private final Page page;

    private ExplanationText(CheckReport base, CandidateResult result, Page page) {
        this.base = base;
        this.result = result;
        this.page = page;
    }

    /**
     * Writes an explanation.
     *
     * @param base what was found in the scenario as it stands
     * @param result what was found of the candidate
     * @param look how it looks
     * @return lines, each ended
     */
    public static String of(CheckReport base, CandidateResult result, Look look) {
        Page page = new Page(look);
        new ExplanationText(base, result, page).write();
        return page.toString();
    }

    private void write() {
        Candidate candidate = result.candidate();
        page.paragraph(
                "", Phrase.of(Tone.STRONG, Printable.of(candidate.name())).and(" (" + candidate.id() + ")"));
        page.paragraph(2, Phrase.of("Idea: " + Printable.of(candidate.idea()) + "."));
        if (result.notBuilt().isPresent()) {
            page.paragraph(
                    2,
                    Phrase.of("It was not tried: "
                            + Printable.of(result.notBuilt().orElseThrow())));
            return;
        }
        page.heading("What it changes");
        ScenarioChanges.draw(
                page, base.result().scenario(), scenario(result.cells().get(0)));
        result.cells().forEach(this::cell);
        Limits.draw(page, result.cells().get(0).result(), base.postgres());
    }

    private static Scenario scenario(Cell cell) {
        return cell.result().scenario();
    }

    private void cell(Cell cell) {
        page.blank();
        CheckResult found = cell.result();
        page.paragraph(
                "",
                Phrase.of(Tone.STRONG, isolation(cell) + ": ")
                        .and(CellPhrase.of(cell, page.look()))
                        .and(" (" + counts(cell) + ")"));
        found.reasons().forEach(reason -> page.paragraph(2, Phrase.of(Printable.of(reason))));
        cell.inside().ifPresent(this::inside);
        Optional<RunResult.Witness> witness = found.shortestWitness().flatMap(RunResult::witness);
        if (witness.isPresent()) {
            shown(cell, witness.orElseThrow());
        } else {
            RunExamples.deadlock(found).ifPresent(deadlock -> shown(cell, deadlock));
        }
    }

    private void inside(GatedPass pass) {
        page.paragraph(2, Phrase.of(insideSentence(pass)));
        pass.result().shortestWitness().flatMap(RunResult::witness).ifPresent(witness -> {
            page.blank();
            Timeline.draw(page, pass.result().scenario(), witness.run(), witness.execution());
            ViolatingRows.draw(page, pass.result().scenario(), witness.execution());
        });
    }

    static String insideSentence(GatedPass pass) {
        String explored = Words.schedules(pass.result().schedules()) + " with gates inside of statements and COMMITs";
        return switch (pass.result().verdict()) {
            case HOLDS -> "Also complete inside: " + explored + ", none violating.";
            case VIOLATED ->
                "Violated inside of a statement: " + explored + "; run freely, without gates, " + pass.violations()
                        + " of " + pass.trials() + " times too.";
            case INCONCLUSIVE ->
                "Not complete inside: " + explored + ", none violating, "
                        + String.join("; ", pass.result().reasons()) + ".";
        };
    }

    static String isolation(Cell cell) {
        return cell.isolation().equals("as declared")
                ? "As declared"
                : cell.isolation().toUpperCase(Locale.ROOT);
    }

    static String counts(Cell cell) {
        return Words.schedules(cell.result().schedules()) + " explored" + deadlocks(cell.result()) + newErrors(cell);
    }

    private static String deadlocks(CheckResult found) {
        return found.deadlocking() == 0 ? "" : ", " + Words.number(found.deadlocking()) + " deadlocking";
    }

    private static String newErrors(Cell cell) {
        return cell.newSqlStates().isEmpty()
                ? ""
                : ", new for callers: " + Words.sqlStates(cell.newSqlStates().stream());
    }

    private void shown(Cell cell, RunResult.Witness shown) {
        Execution execution = shown.execution();
        page.blank();
        Timeline.draw(page, scenario(cell), shown.run(), execution);
        ViolatingRows.draw(page, scenario(cell), execution);
        if (result.candidate().kind() == Candidate.Kind.USER) {
            page.blank();
            List<String> options = List.of("--repair", result.candidate().name());
            page.line(Phrase.of("Run it again:  ")
                    .and(Tone.STRONG, ShellWords.replay(scenario(cell).file(), options, shown.token())));
        }
    }
}
