package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Verdict;

/** Says what a verdict does not show. */
final class Limits {
    private Limits() {}

    static void draw(Page page, CheckResult result, String postgres) {
        draw(page, result.verdict(), "scenario", postgres);
    }

    static void draw(Page page, Verdict verdict, String explored, String postgres) {
        page.blank();
        page.line(Phrase.of(Tone.FAINT, "What this does not show:"));
        faint(page, "What happens inside one statement, or inside COMMIT, is one step here.");
        faint(
                page,
                "Only these sessions and these rows took part; more of them can do more"
                        + (verdict == Verdict.VIOLATED ? "." : ", so HOLDS is said of this " + explored + " alone."));
        faint(page, "It ran on PostgreSQL " + postgres + "; other versions can differ.");
    }

    private static void faint(Page page, String text) {
        page.paragraph("  " + page.look().bullet() + " ", Phrase.of(Tone.FAINT, text));
    }
}
