package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.SerialTally;
import java.util.ArrayList;
import java.util.List;

/** What the oracle that needs no invariant says, in words. */
final class SerialPhrases {
    private SerialPhrases() {}

    /** Draws how many schedules end as no serial order does; nothing when nobody asked. */
    static void draw(Page page, SerialTally tally) {
        sentences(tally).forEach(sentence -> page.paragraph(2, sentence));
    }

    /** {@return how many schedules end as no serial order does; nothing when nobody asked} */
    static List<Phrase> sentences(SerialTally tally) {
        List<Phrase> sentences = new ArrayList<>();
        if (tally.judged() > 0) {
            sentences.add(sentence(tally));
            tally.doubts()
                    .forEach(doubt -> sentences.add(Phrase.of("Serial equivalence: " + Printable.of(doubt) + ".")));
        }
        return sentences;
    }

    private static Phrase sentence(SerialTally tally) {
        String all = Words.schedules(tally.judged());
        if (tally.anomalous() > 0) {
            return Phrase.of("Serial equivalence: ")
                    .and(Tone.WARNING, Words.number(tally.anomalous()) + " of " + all)
                    .and((tally.anomalous() == 1 ? " ends" : " end") + " as no serial order of the sessions does.");
        }
        return Phrase.of("Serial equivalence: "
                + (tally.undecided() > 0
                        ? Words.number(tally.undecided()) + " of " + all + " could not be judged."
                        : (tally.judged() == 1 ? "the only schedule ends" : "all " + all + " end")
                                + " as a serial order of the sessions that committed does."));
    }

    /** Draws how often PostgreSQL failed a session, and whether it had to. */
    static void drawAborts(Page page, Aborts aborts) {
        if (aborts.schedules() > 0) {
            page.paragraph(2, sentence(aborts));
        }
    }

    static Phrase sentence(Aborts aborts) {
        List<String> why = new ArrayList<>();
        if (aborts.needed() > 0) {
            why.add(aborts.needed() + " needed (the same order at repeatable read is anomalous)");
        }
        if (aborts.unneeded() > 0) {
            why.add(aborts.unneeded() + " not needed (the same order at repeatable read is fine)");
        }
        if (aborts.alike() > 0) {
            why.add(aborts.alike() + " that repeatable read has too");
        }
        return Phrase.of("PostgreSQL failed a session in " + Words.schedules(aborts.schedules())
                + (why.isEmpty() ? "." : ": " + Words.list(why, "and") + "."));
    }

    /** Draws how a schedule differs from the serial order that is closest to it. */
    static void drawAnomaly(Page page, Execution execution) {
        execution.serial().filter(finding -> finding.judgement().isAnomalous()).ifPresent(finding -> {
            page.blank();
            page.paragraph(2, Phrase.of(Tone.BAD, "No serial order ends so.").and(" The closest one differs here:"));
            page.table(4, ViolatingRows.table(page.look(), finding.violation("serial equivalence")));
        });
    }
}
