package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Violation;

/** A {@link ReplayReport} as text. */
public final class ReplayText {
    private ReplayText() {}

    /**
     * Writes a report.
     *
     * @param report the schedule that was run again
     * @param look how it looks
     * @return lines, each ended
     */
    public static String of(ReplayReport report, Look look) {
        Page page = new Page(look);
        Execution execution = report.witness().execution();
        page.paragraph("", verdict(report, execution));
        page.paragraph(
                2,
                Phrase.of(
                        Tone.FAINT,
                        Printable.of(report.scenario().file()) + ": "
                                + Printable.of(report.scenario().title())));
        page.blank();
        Timeline.draw(page, report.scenario(), report.witness().run(), execution);
        if (!report.scenario().invariants().isEmpty()) {
            ViolatingRows.draw(page, report.scenario(), execution);
        }
        SerialPhrases.drawAnomaly(page, execution);
        if (!report.asked().schedule().equals(report.witness().token().schedule())) {
            page.blank();
            page.line("The schedule given was shorter than the run. The whole is:");
            page.line(Phrase.of("  ").and(Tone.STRONG, report.replayCommand()));
        }
        return page.toString();
    }

    private static Phrase verdict(ReplayReport report, Execution execution) {
        String schedule = "schedule " + report.witness().token() + " ends with ";
        if (execution.isViolation()) {
            String names = Words.list(
                    execution.violations().stream().map(Violation::invariant).toList(), "and");
            return Phrase.of(Tone.BAD, "VIOLATED").and(": " + schedule + names + " violated.");
        }
        String anomaly = execution.isAnomalous() ? ", but as no serial order of its sessions does" : "";
        String deadlock = execution.trace().deadlocked() ? " after a deadlock" : "";
        return Phrase.of(Tone.GOOD, "HOLDS HERE").and(": " + schedule + "nothing violated" + deadlock + anomaly + ".");
    }
}
