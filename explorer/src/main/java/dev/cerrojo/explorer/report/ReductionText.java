package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.SearchComparison;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Exploration;
import java.util.List;

/** What comparing the reduced with the exhaustive search showed, as text. */
public final class ReductionText {
    private ReductionText() {}

    /**
     * Writes a line for each comparison, and whatever only one of the two searches found.
     *
     * @param file the file
     * @param comparisons run by run and level by level
     * @param look how it looks
     * @return lines, ended
     */
    public static String of(String file, List<SearchComparison> comparisons, Look look) {
        Page page = new Page(look);
        for (SearchComparison comparison : comparisons) {
            page.line(mark(comparison.result())
                    .and(" " + Printable.of(file) + ", run " + comparison.run() + " at " + comparison.isolation() + ": "
                            + Words.schedules(comparison.exhaustive().schedules()) + " with "
                            + endings(comparison.exhaustive()) + ", reduced "
                            + Words.schedules(comparison.reduced().schedules()) + " with "
                            + endings(comparison.reduced())
                            + (comparison.reduced().reduced() ? "" : " (cannot be reduced)")));
            comparison.exhaustive().reason().ifPresent(reason -> note(page, "exhaustive: " + reason));
            comparison.reduced().reason().ifPresent(reason -> note(page, "reduced: " + reason));
            comparison.lost().forEach(ending -> note(page, "only exhaustive: " + ending));
            comparison.invented().forEach(ending -> note(page, "only reduced: " + ending));
        }
        return page.toString();
    }

    private static void note(Page page, String text) {
        page.paragraph(6, Phrase.of(Printable.of(text)));
    }

    private static String endings(Exploration exploration) {
        return Words.count(exploration.endings().size(), "ending", "endings");
    }

    private static Phrase mark(SearchComparison.Result result) {
        return switch (result) {
            case EQUAL -> Phrase.of(Tone.GOOD, "same ");
            case DIFFERENT -> Phrase.of(Tone.BAD, "DIFF ");
            case UNDECIDED -> Phrase.of(Tone.WARNING, "?    ");
        };
    }
}
