package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.spec.SpecResult;
import java.util.Optional;

/** A {@link SpecReport} as text: the verdict first, then how often, then the shortest anomalous schedule. */
public final class SpecText {
    private final SpecReport report;
    private final SpecResult result;
    private final Page page;

    private SpecText(SpecReport report, Page page) {
        this.report = report;
        this.result = report.result();
        this.page = page;
    }

    /**
     * Writes a report.
     *
     * @param report what was found
     * @param look how it looks
     * @return lines, each ended
     */
    public static String of(SpecReport report, Look look) {
        Page page = new Page(look);
        SpecText text = new SpecText(report, page);
        text.summary();
        text.example();
        Limits.draw(page, report.result().verdict(), "specification", report.postgres());
        return page.toString();
    }

    /**
     * Writes one schedule that was run again.
     *
     * @param report what was explored: its result has no programs
     * @param shown the schedule
     * @param look how it looks
     * @return lines, each ended
     */
    public static String replay(SpecReport report, SpecResult.Shown shown, Look look) {
        Page page = new Page(look);
        page.paragraph("", replayed(shown));
        page.blank();
        SpecTimeline.draw(page, report.result().spec(), shown);
        return page.toString();
    }

    private static Phrase replayed(SpecResult.Shown shown) {
        String schedule = ": schedule " + shown.token() + " ends as ";
        return shown.execution().isViolation()
                ? Phrase.of(Tone.BAD, "VIOLATED").and(schedule + "no serial order of its sessions does.")
                : Phrase.of(Tone.GOOD, "HOLDS HERE").and(schedule + "a serial order of its sessions does.");
    }

    private void summary() {
        page.paragraph("", sentence());
        page.paragraph(2, Phrase.of(Tone.FAINT, Printable.of(result.spec().file()) + level()));
        counts();
        SerialPhrases.drawAborts(page, result.aborts());
        if (result.verdict() == Verdict.VIOLATED) {
            result.reasons().forEach(reason -> page.paragraph(2, Phrase.of("Left out: " + Printable.of(reason))));
        }
        result.programs().forEach(this::endings);
    }

    private String level() {
        return result.spec()
                .isolation()
                .map(level -> ", every transaction at " + level.sql())
                .orElse("");
    }

    private Phrase sentence() {
        String all = Words.schedules(result.schedules());
        return switch (result.verdict()) {
            case VIOLATED ->
                Phrase.of(Tone.BAD, "VIOLATED")
                        .and(": " + Words.number(result.anomalous()) + " of " + all + " "
                                + (result.anomalous() == 1 ? "ends" : "end")
                                + " as no serial order of the sessions does.");
            case HOLDS ->
                Phrase.of(Tone.GOOD, "HOLDS")
                        .and(": " + (result.schedules() == 1 ? "the only schedule ends" : "all " + all + " end")
                                + " as a serial order of the sessions that committed does.");
            case INCONCLUSIVE ->
                Phrase.of(Tone.WARNING, "INCONCLUSIVE")
                        .and(": no anomaly in " + all + ", but that does not say all: "
                                + Printable.of(String.join("; ", result.reasons())) + ".");
        };
    }

    private void counts() {
        page.blank();
        page.paragraph(
                2,
                Phrase.of(Words.schedules(result.schedules()) + " explored: ")
                        .and(result.anomalous() > 0 ? Tone.BAD : Tone.NORMAL, result.anomalous() + " anomalous")
                        .and(", ")
                        .and(
                                result.deadlocking() > 0 ? Tone.WARNING : Tone.NORMAL,
                                result.deadlocking() + " deadlocking")
                        .and(", " + result.waiting() + " with a lock wait (" + Words.duration(report.elapsed())
                                + ", PostgreSQL " + report.postgres() + ")"));
    }

    private void endings(SpecResult.OfProgram program) {
        page.blank();
        if (result.spec().programs().size() > 1) {
            page.paragraph(
                    2, Phrase.of(Tone.STRONG, "Program " + program.program().number()));
        }
        page.table(2, CheckText.endings(program.exploration().endings(), false));
    }

    /** The shortest anomaly; without one, the shortest deadlock. */
    private void example() {
        Optional<SpecResult.Shown> witness = result.witness();
        Optional<SpecResult.Shown> shown = witness.or(result::deadlock);
        if (shown.isPresent()) {
            page.heading(
                    witness.isPresent()
                            ? "The shortest schedule that is anomalous:"
                            : "The shortest schedule that deadlocks:");
            page.blank();
            SpecTimeline.draw(page, result.spec(), shown.orElseThrow());
            page.blank();
            page.line(Phrase.of("Run it again:  ")
                    .and(Tone.STRONG, report.replayCommand(shown.orElseThrow().token())));
        }
    }
}
