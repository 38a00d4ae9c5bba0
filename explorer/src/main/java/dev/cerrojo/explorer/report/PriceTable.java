package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Prices;
import dev.cerrojo.explorer.report.Style.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Draws what repairs cost: a table for each load. */
final class PriceTable {
    private PriceTable() {}

    static void draw(Page page, Prices prices) {
        page.heading(PriceWords.HEADING);
        page.paragraph(2, Phrase.of(PriceWords.how(prices)));
        PriceRows.of(prices).forEach(table -> draw(page, table));
        page.blank();
        page.paragraph(2, Phrase.of(Tone.FAINT, PriceWords.LEGEND));
        page.paragraph(2, Phrase.of(Tone.FAINT, PriceWords.HOT_LEGEND));
        prices.notes().forEach(note -> page.paragraph(2, Phrase.of(PriceWords.notMeasured(note))));
    }

    private static void draw(Page page, PriceRows table) {
        List<List<Phrase>> rows = new ArrayList<>();
        rows.add(row(Tone.STRONG, "", table.heads()));
        table.rows().forEach(row -> rows.add(row(Tone.NORMAL, row.name(), row.cells())));
        page.blank();
        page.line(Phrase.of("  ").and(Tone.STRONG, table.title()));
        page.table(4, rows);
    }

    private static List<Phrase> row(Tone tone, String name, List<String> cells) {
        return Stream.concat(Stream.of(name), cells.stream())
                .map(cell -> Phrase.of(tone, cell))
                .toList();
    }
}
