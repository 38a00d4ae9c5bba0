package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One schedule in an HTML report.
 *
 * @param id an anchor
 * @param lanes what happened, as a list: what a picture shows, in words
 * @param charts the same as pictures, one of which is shown; none where a list must do
 * @param doom from when on nothing could save it, in a sentence; empty when that is not known
 * @param ends what was violated at the end, with the rows
 * @param replay the command that runs it again, if there is one
 */
record ScheduleView(
        String id,
        Lanes lanes,
        List<LaneChart> charts,
        Optional<String> doom,
        List<RowsView> ends,
        Optional<String> replay) {
    /** Rows of a table, with a sentence above them. */
    record RowsView(Phrase sentence, List<String> columns, List<List<String>> rows, long more) {}

    /** {@return a schedule with pictures} */
    static ScheduleView drawn(
            String id, Scenario scenario, RunResult.Witness shown, Optional<Doom> doom, Optional<String> replay) {
        Lanes lanes = lanes(scenario, shown);
        OptionalInt after = doom.map(found -> OptionalInt.of(found.after())).orElse(OptionalInt.empty());
        String verdict = verdict(scenario, shown.execution());
        return new ScheduleView(
                id,
                lanes,
                List.of(
                        LaneChart.of(lanes, LaneChart.Size.wide(lanes.heads().size()), after, verdict),
                        LaneChart.of(lanes, LaneChart.Size.NARROW, after, verdict)),
                doom.map(ScheduleView::sentence),
                ends(scenario, shown.execution()),
                replay);
    }

    private static String verdict(Scenario scenario, Execution execution) {
        List<String> names = execution.violations().stream()
                .map(Violation::invariant)
                .distinct()
                .toList();
        String violated = Words.list(names, "and") + (names.size() == 1 ? " is violated" : " are violated");
        return names.isEmpty() || scenario.invariants().isEmpty()
                ? ""
                : Look.plain().violated() + " " + violated;
    }

    /** {@return a schedule as a list alone} */
    static ScheduleView listed(String id, Scenario scenario, RunResult.Witness shown, Optional<String> replay) {
        return new ScheduleView(
                id, lanes(scenario, shown), List.of(), Optional.empty(), ends(scenario, shown.execution()), replay);
    }

    private static Lanes lanes(Scenario scenario, RunResult.Witness shown) {
        return Lanes.of(heads(scenario, shown.run()), shown.execution().trace());
    }

    private static List<List<Phrase>> heads(Scenario scenario, Run run) {
        return run.sessions().stream().map(session -> head(scenario, session)).toList();
    }

    private static List<Phrase> head(Scenario scenario, Session session) {
        List<Phrase> lines = new ArrayList<>();
        for (Call call : session.calls()) {
            String then = lines.isEmpty() ? "" : "then ";
            lines.add(Phrase.of(Tone.STRONG, then + Printable.of(call.toString())));
            lines.add(Phrase.of(Tone.FAINT, TimelineRow.circumstances(scenario, call)));
        }
        return lines;
    }

    static String sentence(Doom doom) {
        String when = doom.after() == 0 ? "It is lost from the start" : "It is lost after turn " + doom.after();
        return when + ": "
                + (doom.ways() == 1
                        ? "there is one way to go on from there, and it ends violated."
                        : "all " + Words.number(doom.ways())
                                + " ways to go on from there were run, and each ends violated.")
                + (doom.after() == 0 ? "" : " One turn earlier, some way to go on still kept it.");
    }

    private static List<RowsView> ends(Scenario scenario, Execution execution) {
        List<RowsView> ends = new ArrayList<>();
        if (!scenario.invariants().isEmpty()) {
            execution.violations().stream()
                    .map(violation ->
                            rows(ViolatingRows.sentence(violation, ViolatingRows.says(scenario, violation)), violation))
                    .forEach(ends::add);
        }
        if (ends.isEmpty()) {
            execution
                    .serial()
                    .filter(finding -> finding.judgement().isAnomalous())
                    .ifPresent(finding -> ends.add(rows(
                            Phrase.of(Tone.BAD, "No serial order ends so.").and(" The closest one differs here:"),
                            finding.violation("serial equivalence"))));
        }
        return ends;
    }

    private static RowsView rows(Phrase sentence, Violation violation) {
        return new RowsView(
                sentence,
                violation.columns().stream().map(Printable::of).toList(),
                violation.rows().stream()
                        .map(row -> row.stream().map(ViolatingRows::shown).toList())
                        .toList(),
                violation.count() - violation.rows().size());
    }
}
