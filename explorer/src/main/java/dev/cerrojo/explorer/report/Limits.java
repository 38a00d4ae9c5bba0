package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Verdict;
import java.util.List;

/** Says what a verdict does not show. */
final class Limits {
    static final String HEADING = "What this does not show";

    private Limits() {}

    static void draw(Page page, CheckResult result, String postgres) {
        draw(page, result.verdict(), "scenario", postgres);
    }

    static void draw(Page page, Verdict verdict, String explored, String postgres) {
        page.blank();
        page.line(Phrase.of(Tone.FAINT, HEADING + ":"));
        sentences(verdict, explored, postgres)
                .forEach(text -> page.paragraph("  " + page.look().bullet() + " ", Phrase.of(Tone.FAINT, text)));
    }

    static List<String> sentences(Verdict verdict, String explored, String postgres) {
        return List.of(
                "What happens inside one statement, or inside COMMIT, is one step here.",
                "Only these sessions and these rows took part; more of them can do more"
                        + (verdict == Verdict.VIOLATED ? "." : ", so HOLDS is said of this " + explored + " alone."),
                "It ran on PostgreSQL " + postgres + "; other versions can differ.");
    }
}
