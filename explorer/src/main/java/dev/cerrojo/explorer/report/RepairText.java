package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.search.Verdict;
import java.util.List;
import java.util.stream.Collectors;

/** A {@link RepairReport} as text: what a check finds, the table of candidates, and one recommendation. */
public final class RepairText {
    private final CheckReport check;
    private final RepairReport report;
    private final Page page;

    private RepairText(CheckReport check, RepairReport report, Page page) {
        this.check = check;
        this.report = report;
        this.page = page;
    }

    /**
     * Writes a report.
     *
     * @param check what was found in the scenario as it stands: the report's own base
     * @param report what was found of its repairs
     * @param look how it looks
     * @return lines, each ended
     */
    public static String of(CheckReport check, RepairReport report, Look look) {
        Page page = new Page(look);
        new RepairText(check, report, page).write();
        return page.toString();
    }

    private void write() {
        CheckText.summary(check, page);
        expected();
        matrices();
        notBuilt();
        prices();
        recommendation();
        page.blank();
        page.line(Phrase.of("What a candidate changes, and its schedules:  ").and(Tone.STRONG, explainCommand()));
        Limits.draw(page, report.base(), check.postgres());
    }

    private void expected() {
        report.base().scenario().expect().ifPresent(expectation -> {
            page.blank();
            page.paragraph(
                    2,
                    Phrase.of("The file expects " + expectation.word() + ": ")
                            .and(judged(Judgement.of(expectation, report.base()))));
        });
    }

    private void matrices() {
        page.heading("What was tried, at READ COMMITTED (RC), REPEATABLE READ (RR) and SERIALIZABLE (SER)");
        new CandidateTable(page)
                .section("Repairs", tried(Candidate.Kind.CANDIDATE))
                .section("Popular ideas that fail", tried(Candidate.Kind.KNOWN_BAD))
                .draw();
        ofTheFile();
        report.scopesNote().ifPresent(note -> {
            page.blank();
            page.paragraph(
                    2, Phrase.of("Whether two scopes wait for each other was not tried: " + Printable.of(note) + "."));
        });
    }

    private List<CandidateResult> tried(Candidate.Kind kind) {
        return report.candidates().stream()
                .filter(result ->
                        result.candidate().kind() == kind && result.notBuilt().isEmpty())
                .toList();
    }

    /** The user's own are tried at one isolation each: their own. */
    private void ofTheFile() {
        List<CandidateResult> results = tried(Candidate.Kind.USER);
        if (results.isEmpty()) {
            return;
        }
        page.blank();
        page.line(Phrase.of("  ").and(Tone.STRONG, "The file's own, as declared"));
        page.table(4, results.stream().map(this::ofTheFile).toList());
    }

    private List<Phrase> ofTheFile(CandidateResult result) {
        Cell cell = result.cells().get(0);
        Phrase last = cell.expectation()
                .map(expectation -> Phrase.of(
                                expectation == Expectation.VIOLATED ? "" : "expected " + expectation.word() + ": ")
                        .and(judged(Judgement.of(expectation, cell.result(), cell.inside()))))
                .orElse(Phrase.EMPTY);
        return List.of(
                Phrase.of(result.candidate().id()),
                CellPhrase.of(cell, page.look()).and(cell.result().deadlocking() > 0 ? ", deadlocks" : ""),
                Phrase.of(Printable.of(result.candidate().name())),
                last);
    }

    static Phrase judged(Judgement judgement) {
        return switch (judgement) {
            case MET -> Phrase.of(Tone.GOOD, "met");
            case NOT_MET -> Phrase.of(Tone.BAD, "NOT MET");
            case UNDECIDED -> Phrase.of(Tone.WARNING, "undecided");
        };
    }

    private void notBuilt() {
        List<CandidateResult> results = report.candidates().stream()
                .filter(result -> result.notBuilt().isPresent())
                .toList();
        if (!results.isEmpty()) {
            page.blank();
            page.line(Phrase.of("  ").and(Tone.STRONG, "Not tried"));
            results.forEach(result -> page.paragraph(
                    "    " + page.look().notTried() + " ",
                    Phrase.of(result.candidate().id() + ": ")
                            .and(Printable.of(result.notBuilt().orElseThrow()))));
        }
    }

    private void prices() {
        report.prices().ifPresent(prices -> PriceTable.draw(page, prices));
        report.pricesNote().ifPresent(note -> {
            page.heading(PriceWords.HEADING);
            page.paragraph(2, Phrase.of(PriceWords.notMeasured(note)));
        });
    }

    private void recommendation() {
        if (report.recommendation().isPresent()) {
            recommend(report.recommendation().orElseThrow());
        } else if (report.base().verdict() == Verdict.HOLDS) {
            page.heading("Recommendation: none is needed. The invariant holds as the file stands.");
        } else {
            page.heading("Recommendation: none. " + report.whyNone());
        }
    }

    private void recommend(RepairReport.Recommendation recommendation) {
        Candidate candidate = recommendation.candidate();
        page.heading("Recommendation: " + Printable.of(candidate.name()) + " (" + candidate.id() + ")");
        page.blank();
        page.paragraph(2, Phrase.of("Why"));
        recommendation.reasons().forEach(page::item);
        page.blank();
        page.paragraph(2, Phrase.of("How"));
        Printable.lines(recommendation.how()).lines().forEach(line -> page.line("    " + line));
        page.blank();
        page.paragraph(2, Phrase.of("What remains at risk"));
        recommendation.risks().forEach(page::item);
    }

    private String explainCommand() {
        List<String> ids = report.candidates().stream()
                .filter(result -> result.notBuilt().isEmpty())
                .map(result -> result.candidate().id())
                .limit(1)
                .toList();
        return "./cerrojo repair --explain " + ids.stream().collect(Collectors.joining()) + " "
                + ShellWords.quoted(report.base().scenario().file());
    }
}
