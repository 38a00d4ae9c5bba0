package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Verdict;
import java.util.Locale;

/** What a candidate came to at one isolation, in two words. */
final class CellPhrase {
    /** Marks what holds between statements, and not inside of them. */
    static final String INSIDE = "*";

    private CellPhrase() {}

    static Phrase of(Cell cell, Look look) {
        if (cell.neverCommits()) {
            return Phrase.of(Tone.WARNING, look.violated() + " never commits");
        }
        return switch (cell.verdict()) {
            case HOLDS -> Phrase.of(Tone.GOOD, look.holds() + " holds");
            case VIOLATED -> Phrase.of(Tone.BAD, look.violated() + " violated" + (isOnlyInside(cell) ? INSIDE : ""));
            case INCONCLUSIVE -> Phrase.of(Tone.WARNING, "? inconclusive");
        };
    }

    /** {@return whether it holds between statements and is violated inside of one} */
    static boolean isOnlyInside(Cell cell) {
        return cell.result().verdict() == Verdict.HOLDS && cell.verdict() == Verdict.VIOLATED;
    }

    static Phrase notTried(Look look) {
        return Phrase.of(Tone.FAINT, look.notTried() + " not tried");
    }

    /** {@return the level's initials, as the heads of columns have them} */
    static String initials(String isolation) {
        return switch (isolation.toLowerCase(Locale.ROOT)) {
            case "read committed" -> "RC";
            case "repeatable read" -> "RR";
            case "serializable" -> "SER";
            default -> isolation;
        };
    }
}
