package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.RepairReport.Recommendation;
import dev.cerrojo.explorer.report.MarkdownReport.Facts;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sections of a Markdown report about the repairs that were tried. */
final class RepairSections {
    private static final Look LOOK = Look.plain();

    private final MarkdownPage page;
    private final Facts facts;

    RepairSections(MarkdownPage page, Facts facts) {
        this.page = page;
        this.facts = facts;
    }

    void write() {
        repair();
        twoTransactions();
        isolation();
    }

    private void repair() {
        page.section("Repair");
        Optional<Recommendation> given = facts.repair().recommendation();
        if (given.isEmpty()) {
            page.paragraph(
                    facts.repair().base().verdict() == Verdict.HOLDS
                            ? "None is needed: the invariant holds as the file stands."
                            : "None is recommended. " + facts.repair().whyNone());
            return;
        }
        Recommendation recommended = given.orElseThrow();
        page.paragraph("**" + Markdown.text(recommended.candidate().name()) + "** ("
                + Markdown.code(recommended.candidate().id()) + "): "
                + Markdown.text(recommended.candidate().idea()) + ".");
        page.items(recommended.reasons().stream().map(Markdown::text).toList());
        page.code("sql", recommended.how());
        page.paragraph("What it changes in the scenario, and its schedules: "
                + Markdown.code("./cerrojo repair --explain "
                        + recommended.candidate().id() + " "
                        + ShellWords.quoted(facts.check().result().scenario().file())));
        PriceSection.write(page, facts.repair());
    }

    private void twoTransactions() {
        page.section("Two-transaction test");
        page.paragraph("The sessions of each run, in every order of their statements that can be told apart:"
                + " as the file stands, and with the repair.");
        List<List<String>> rows = new ArrayList<>();
        rows.add(counts("as the file stands", facts.check().result()));
        Optional<Cell> cell = facts.repair().recommendedCell();
        cell.ifPresent(found -> rows.add(counts(
                "with " + Markdown.code(recommendedId()) + ", " + ExplanationText.isolation(found), found.result())));
        page.table(
                List.of("", "Verdict", "Schedules", "Violating", "Deadlocking", "With a lock wait", "Some commit"),
                rows);
        endings(cell.map(Cell::result));
        cell.flatMap(Cell::inside)
                .ifPresent(pass -> page.paragraph(Markdown.text(ExplanationText.insideSentence(pass))));
        page.paragraph(scopes());
    }

    private String recommendedId() {
        return facts.repair().recommendation().orElseThrow().candidate().id();
    }

    private static List<String> counts(String what, CheckResult result) {
        return List.of(
                what,
                result.verdict().name().toLowerCase(java.util.Locale.ROOT),
                Words.number(result.schedules()),
                Words.number(result.violating()),
                Words.number(result.deadlocking()),
                Words.number(result.waiting()),
                Words.number(result.committing()));
    }

    private void endings(Optional<CheckResult> repaired) {
        List<List<String>> rows = new ArrayList<>();
        for (RunResult run : facts.check().result().runs()) {
            rows.addAll(endings(run, "as the file stands"));
            repaired.stream()
                    .flatMap(result -> result.runs().stream())
                    .filter(other -> other.number() == run.number())
                    .forEach(other -> rows.addAll(endings(other, "with " + Markdown.code(recommendedId()))));
        }
        page.paragraph("How the schedules ended, run by run:");
        page.table(List.of("Run", "Transactions", "The sessions ended", "Schedules", "Invariant"), rows);
    }

    private static List<List<String>> endings(RunResult run, String what) {
        return CheckText.endings(run.exploration().endings(), false).stream()
                .map(ending -> List.of(
                        String.valueOf(run.number()),
                        what,
                        Markdown.text(ending.get(0).text()),
                        ending.get(1).text().strip(),
                        invariant(ending.get(2).text())))
                .toList();
    }

    private static String invariant(String found) {
        return found.isEmpty() ? LOOK.holds() : LOOK.violated() + " " + Markdown.text(found);
    }

    private String scopes() {
        if (facts.repair().scopesNote().isPresent()) {
            return "Whether transactions of two scopes wait for each other was not tried: "
                    + Markdown.text(facts.repair().scopesNote().orElseThrow()) + ".";
        }
        Optional<Boolean> blocks = facts.repair()
                .recommendation()
                .flatMap(given -> facts.repair().candidates().stream()
                        .filter(result -> result.candidate().equals(given.candidate()))
                        .findFirst()
                        .flatMap(CandidateResult::blocksOtherScopes));
        return blocks.map(wait -> "With sessions of two different scopes, every order was run too: "
                        + (wait ? "some wait for each other." : "none waits for another."))
                .orElse("Whether transactions of two scopes wait for each other is not known.");
    }

    private void isolation() {
        page.section("Isolation test");
        page.paragraph(
                "Each candidate at READ COMMITTED (RC), REPEATABLE READ (RR) and SERIALIZABLE (SER). ✔ every schedule"
                        + " that can be told apart was run, and none violates; ✘ some schedule violates; ? a bound was hit first.");
        page.table(
                List.of("Candidate", "RC", "RR", "SER", "Deadlocks", "Scopes wait", "Adds", "New errors"),
                tried(Candidate.Kind.CANDIDATE).stream().map(this::row).toList());
        page.paragraph(Markdown.text(CandidateTable.LEGEND + (anyInside() ? CandidateTable.LEGEND_INSIDE : "")));
        knownBad();
        ofTheFile();
    }

    private List<String> row(CandidateResult result) {
        boolean recommended = facts.repair().recommendation().stream()
                .anyMatch(given -> given.candidate().equals(result.candidate()));
        String name = Markdown.code(result.candidate().id());
        List<String> row = new ArrayList<>(List.of(recommended ? "**" + name + "**" : name));
        for (Isolation level : Isolation.values()) {
            row.add(found(result, level));
        }
        CandidateTable.facts(result, LOOK).forEach(fact -> row.add(Markdown.text(fact.text())));
        return row;
    }

    private static String found(CandidateResult result, Isolation level) {
        return Markdown.text(CandidateTable.cell(result, level)
                .map(cell -> CellPhrase.of(cell, LOOK))
                .orElse(CellPhrase.notTried(LOOK))
                .text());
    }

    private void knownBad() {
        List<CandidateResult> results = tried(Candidate.Kind.KNOWN_BAD);
        if (!results.isEmpty()) {
            page.paragraph("Popular ideas, tried on purpose:");
            page.table(
                    List.of("Idea", "What it does", "RC", "RR"),
                    results.stream()
                            .map(result -> List.of(
                                    Markdown.code(result.candidate().id()),
                                    Markdown.text(result.candidate().idea()),
                                    found(result, Isolation.READ_COMMITTED),
                                    found(result, Isolation.REPEATABLE_READ)))
                            .toList());
        }
    }

    private List<CandidateResult> tried(Candidate.Kind kind) {
        return facts.repair().candidates().stream()
                .filter(result ->
                        result.candidate().kind() == kind && result.notBuilt().isEmpty())
                .toList();
    }

    private boolean anyInside() {
        return facts.repair().candidates().stream()
                .flatMap(result -> result.cells().stream())
                .anyMatch(CellPhrase::isOnlyInside);
    }

    private void ofTheFile() {
        List<CandidateResult> own = tried(Candidate.Kind.USER);
        if (!own.isEmpty()) {
            page.paragraph("The file's own repairs, each as it declares itself:");
            page.table(
                    List.of("Repair", "Found", "Deadlocks", "Expected"),
                    own.stream().map(RepairSections::ofTheFile).toList());
        }
    }

    private static List<String> ofTheFile(CandidateResult result) {
        Cell cell = result.cells().get(0);
        return List.of(
                Markdown.text(result.candidate().name()),
                Markdown.text(CellPhrase.of(cell, LOOK).text()),
                cell.result().deadlocking() > 0 ? "yes" : "no",
                cell.expectation()
                        .map(expected -> Markdown.code(expected.word()) + ": "
                                + RepairText.judged(cell.judgement().orElseThrow())
                                        .text())
                        .orElse(""));
    }
}
