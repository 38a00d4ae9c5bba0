package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Prices;
import dev.cerrojo.explorer.repair.RepairReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What repairs cost, in a Markdown report. */
final class PriceSection {
    private PriceSection() {}

    static void write(MarkdownPage page, RepairReport report) {
        report.prices().ifPresent(prices -> write(page, prices));
        report.pricesNote().ifPresent(note -> page.paragraph(Markdown.text(PriceWords.notMeasured(note))));
    }

    private static void write(MarkdownPage page, Prices prices) {
        page.paragraph("**" + Markdown.text(PriceWords.HEADING) + "**. " + Markdown.text(PriceWords.how(prices)));
        PriceRows.of(prices).forEach(table -> write(page, table));
        page.paragraph(Markdown.text(PriceWords.LEGEND));
        page.paragraph(Markdown.text(PriceWords.HOT_LEGEND));
        prices.notes().forEach(note -> page.paragraph(Markdown.text(PriceWords.notMeasured(note))));
    }

    private static void write(MarkdownPage page, PriceRows table) {
        page.paragraph(Markdown.text(table.title()) + ":");
        page.table(
                Stream.concat(Stream.of(""), table.heads().stream()).toList(),
                table.rows().stream().map(PriceSection::cells).toList());
    }

    private static List<String> cells(PriceRows.Row row) {
        List<String> cells = new ArrayList<>(List.of(Markdown.code(row.name())));
        row.cells().forEach(cell -> cells.add(Markdown.text(cell)));
        return cells;
    }
}
