package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.report.Style.Tone;
import java.util.Locale;

/** What a candidate came to at one isolation, in two words. */
final class CellPhrase {
    private CellPhrase() {}

    static Phrase of(Cell cell, Look look) {
        if (cell.neverCommits()) {
            return Phrase.of(Tone.WARNING, look.violated() + " never commits");
        }
        return switch (cell.verdict()) {
            case HOLDS -> Phrase.of(Tone.GOOD, look.holds() + " holds");
            case VIOLATED -> Phrase.of(Tone.BAD, look.violated() + " violated");
            case INCONCLUSIVE -> Phrase.of(Tone.WARNING, "? inconclusive");
        };
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
