package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.repair.Candidate;
import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an HTML report shows of repairs.
 *
 * @param expected whether the file's own expectation was met, in a sentence
 * @param sections the matrix, in sections
 * @param own the file's own repairs, each with its verdict, its name and what was expected
 * @param legend what the matrix' columns mean
 * @param notes what was not tried, and why
 * @param prices what candidates cost; none where that was not measured
 * @param candidates the evidence of each candidate that was tried
 * @param advice the recommendation
 */
record RepairView(
        Optional<Phrase> expected,
        List<Section> sections,
        List<Row> own,
        String legend,
        List<String> notes,
        List<BarsView> prices,
        List<Evidence> candidates,
        Advice advice) {
    private static final Look LOOK = Look.plain();

    /** Rows of the matrix under a heading. */
    record Section(String heading, List<Row> rows) {}

    /** A candidate's row. */
    record Row(String id, String name, List<Mark> marks, List<Phrase> facts) {}

    /** What it came to at one level, with an anchor to the evidence; none when it was not tried there. */
    record Mark(String level, Phrase phrase, Optional<String> evidence) {
        String tone() {
            return HtmlTones.of(phrase);
        }
    }

    /** What was seen of a candidate. */
    record Evidence(String id, String name, String idea, List<Mark> marks, List<Phrase> changes, List<Level> levels) {}

    /** What was seen of it at one level. */
    record Level(
            String id, String level, Phrase phrase, String counts, List<String> notes, List<ScheduleView> schedules) {}

    /** The recommendation, or that there is none. */
    record Advice(
            boolean given,
            String heading,
            List<String> reasons,
            String how,
            List<String> risks,
            Optional<String> evidence) {}

    static RepairView of(String id, RepairReport report) {
        return new Builder(id, report).view();
    }

    /** Makes anchors of one file's part of the page. */
    private record Builder(String part, RepairReport report) {
        RepairView view() {
            List<CandidateResult> tried = report.candidates().stream()
                    .filter(result -> result.notBuilt().isEmpty())
                    .toList();
            return new RepairView(
                    report.base()
                            .scenario()
                            .expect()
                            .map(expectation -> Phrase.of("The file expects " + expectation.word() + ": ")
                                    .and(RepairText.judged(Judgement.of(expectation, report.base())))),
                    List.of(
                            section("Repairs", tried, Candidate.Kind.CANDIDATE),
                            section("Popular ideas that fail", tried, Candidate.Kind.KNOWN_BAD)),
                    of(tried, Candidate.Kind.USER).stream().map(this::ofTheFile).toList(),
                    CandidateTable.LEGEND + (anyInside() ? CandidateTable.LEGEND_INSIDE : ""),
                    notes(),
                    report.prices()
                            .map(prices -> PriceBars.of(part + "-price", prices))
                            .orElse(List.of()),
                    tried.stream().map(this::evidence).toList(),
                    advice());
        }

        private boolean anyInside() {
            return report.candidates().stream()
                    .flatMap(result -> result.cells().stream())
                    .anyMatch(CellPhrase::isOnlyInside);
        }

        private static List<CandidateResult> of(List<CandidateResult> results, Candidate.Kind kind) {
            return results.stream()
                    .filter(result -> result.candidate().kind() == kind)
                    .toList();
        }

        private Section section(String heading, List<CandidateResult> tried, Candidate.Kind kind) {
            return new Section(
                    heading,
                    of(tried, kind).stream()
                            .map(result -> new Row(
                                    result.candidate().id(),
                                    Printable.of(result.candidate().name()),
                                    Arrays.stream(Isolation.values())
                                            .map(level -> mark(result, level))
                                            .toList(),
                                    CandidateTable.facts(result, LOOK)))
                            .toList());
        }

        private Mark mark(CandidateResult result, Isolation level) {
            return CandidateTable.cell(result, level)
                    .map(cell -> mark(result, cell))
                    .orElseGet(() -> new Mark(shown(level.sql()), CellPhrase.notTried(LOOK), Optional.empty()));
        }

        private Mark mark(CandidateResult result, Cell cell) {
            return new Mark(
                    ExplanationText.isolation(cell), CellPhrase.of(cell, LOOK), Optional.of(anchor(result, cell)));
        }

        private static String shown(String isolation) {
            return isolation.toUpperCase(Locale.ROOT);
        }

        private String anchor(CandidateResult result, Cell cell) {
            return anchor(result) + "-"
                    + CellPhrase.initials(cell.isolation())
                            .toLowerCase(Locale.ROOT)
                            .replace(' ', '-');
        }

        private String anchor(CandidateResult result) {
            return part + "-" + result.candidate().id();
        }

        private Row ofTheFile(CandidateResult result) {
            Cell cell = result.cells().get(0);
            return new Row(
                    result.candidate().id(),
                    Printable.of(result.candidate().name()),
                    List.of(mark(result, cell)),
                    List.of(
                            Phrase.of(cell.result().deadlocking() > 0 ? "yes" : "no"),
                            cell.expectation()
                                    .map(expectation -> Phrase.of(expectation.word() + ": ")
                                            .and(RepairText.judged(
                                                    cell.judgement().orElseThrow())))
                                    .orElse(Phrase.of(LOOK.notTried()))));
        }

        private List<String> notes() {
            List<String> notes = new ArrayList<>();
            report.candidates().stream()
                    .filter(result -> result.notBuilt().isPresent())
                    .forEach(result -> notes.add(result.candidate().id() + " was not tried: "
                            + Printable.of(result.notBuilt().orElseThrow()) + "."));
            report.scopesNote()
                    .ifPresent(note -> notes.add(
                            "Whether two scopes wait for each other was not tried: " + Printable.of(note) + "."));
            Stream.concat(
                            report.prices().stream().flatMap(prices -> prices.notes().stream()),
                            report.pricesNote().stream())
                    .forEach(note -> notes.add("What it costs was not measured: " + Printable.of(note) + "."));
            return notes;
        }

        private Evidence evidence(CandidateResult result) {
            return new Evidence(
                    anchor(result),
                    Printable.of(result.candidate().name()) + " ("
                            + result.candidate().id() + ")",
                    Printable.of(result.candidate().idea()) + ".",
                    result.cells().stream().map(cell -> mark(result, cell)).toList(),
                    changes(result.cells().get(0).result().scenario()),
                    result.cells().stream().map(cell -> level(result, cell)).toList());
        }

        private List<Phrase> changes(Scenario after) {
            Page page = new Page(LOOK);
            ScenarioChanges.draw(page, report.base().scenario(), after);
            return page.toString().lines().map(Builder::change).toList();
        }

        private static Phrase change(String line) {
            String text = line.replaceFirst("^  ", "");
            return Phrase.of(
                    text.startsWith("  + ") ? Tone.GOOD : text.startsWith("  - ") ? Tone.BAD : Tone.NORMAL, text);
        }

        private Level level(CandidateResult result, Cell cell) {
            List<String> notes = new ArrayList<>();
            cell.result().reasons().forEach(reason -> notes.add(Printable.of(reason) + "."));
            cell.inside().ifPresent(pass -> notes.add(ExplanationText.insideSentence(pass)));
            return new Level(
                    anchor(result, cell),
                    ExplanationText.isolation(cell),
                    CellPhrase.of(cell, LOOK),
                    ExplanationText.counts(cell),
                    notes,
                    schedules(result, cell));
        }

        private List<ScheduleView> schedules(CandidateResult result, Cell cell) {
            List<ScheduleView> schedules = new ArrayList<>();
            String id = anchor(result, cell) + "-schedule";
            Scenario scenario = cell.result().scenario();
            cell.result()
                    .shortestWitness()
                    .flatMap(RunResult::witness)
                    .or(() -> RunExamples.deadlock(cell.result()))
                    .ifPresent(shown ->
                            schedules.add(ScheduleView.listed(id, scenario, shown, replay(result, scenario, shown))));
            cell.inside()
                    .flatMap(pass -> pass.result().shortestWitness())
                    .flatMap(RunResult::witness)
                    .ifPresent(shown ->
                            schedules.add(ScheduleView.listed(id + "-inside", scenario, shown, Optional.empty())));
            return schedules;
        }

        /** Only the file's own repairs can be asked for by name. */
        private static Optional<String> replay(CandidateResult result, Scenario scenario, RunResult.Witness shown) {
            return result.candidate().kind() == Candidate.Kind.USER
                    ? Optional.of(ShellWords.replay(
                            scenario.file(),
                            List.of("--repair", result.candidate().name()),
                            shown.token()))
                    : Optional.empty();
        }

        private Advice advice() {
            return report.recommendation()
                    .map(this::advice)
                    .orElseGet(() -> new Advice(
                            false,
                            report.base().verdict() == Verdict.HOLDS
                                    ? "None is needed. The invariant holds as the file stands."
                                    : "None. " + report.whyNone(),
                            List.of(),
                            "",
                            List.of(),
                            Optional.empty()));
        }

        private Advice advice(RepairReport.Recommendation recommendation) {
            return new Advice(
                    true,
                    Printable.of(recommendation.candidate().name()) + " ("
                            + recommendation.candidate().id() + ")",
                    recommendation.reasons(),
                    Printable.lines(recommendation.how()),
                    recommendation.risks(),
                    report.candidates().stream()
                            .filter(result -> result.candidate().equals(recommendation.candidate()))
                            .findFirst()
                            .map(this::anchor));
        }
    }
}
