package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.report.Style.Tone;
import java.util.List;

/** Expectations as text: a line for each, and the total. */
public final class ExpectationText {
    private ExpectationText() {}

    /**
     * Writes what came of an expectation.
     *
     * @param judged the expectation and what was found
     * @param look how it looks
     * @return one line, ended; why it is undecided follows on another
     */
    public static String line(ExpectationCase judged, Look look) {
        Page page = new Page(look);
        page.line(mark(judged.judgement())
                .and(" " + Printable.of(judged.file()) + " ")
                .and(
                        Tone.STRONG,
                        judged.repair()
                                .map(name -> "repair \"" + Printable.of(name) + "\"")
                                .orElse("as it stands"))
                .and(": expected " + judged.expectation().word() + ", found " + judged.found())
                .and(
                        Tone.FAINT,
                        " (" + Words.schedules(judged.result().schedules()) + ", " + Words.duration(judged.elapsed())
                                + ")"));
        if (judged.judgement() == Judgement.UNDECIDED) {
            judged.result().reasons().forEach(reason -> page.paragraph(6, Phrase.of(Printable.of(reason))));
        }
        return page.toString();
    }

    private static Phrase mark(Judgement judgement) {
        return switch (judgement) {
            case MET -> Phrase.of(Tone.GOOD, "ok   ");
            case NOT_MET -> Phrase.of(Tone.BAD, "FAIL ");
            case UNDECIDED -> Phrase.of(Tone.WARNING, "?    ");
        };
    }

    /**
     * Says that a file expects nothing.
     *
     * @param file the file
     * @param look how it looks
     * @return one line, ended
     */
    public static String none(String file, Look look) {
        Page page = new Page(look);
        page.line(Phrase.of(Tone.WARNING, "none ")
                .and(" " + Printable.of(file) + ": declares no expectation (key expect)"));
        return page.toString();
    }

    /**
     * Writes the total.
     *
     * @param cases all expectations
     * @param files of how many files
     * @return one line, ended
     */
    public static String total(List<ExpectationCase> cases, int files) {
        long met = cases.stream()
                .filter(judged -> judged.judgement() == Judgement.MET)
                .count();
        return met + " of " + Words.count(cases.size(), "expectation", "expectations") + " met ("
                + Words.count(files, "file", "files") + ")\n";
    }
}
