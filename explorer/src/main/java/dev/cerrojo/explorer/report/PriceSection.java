package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Load;
import dev.cerrojo.explorer.repair.Price;
import dev.cerrojo.explorer.repair.Prices;
import dev.cerrojo.explorer.repair.RepairReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What repairs cost, as tables of a Markdown report. */
final class PriceSection {
    private final MarkdownPage page;
    private final Prices prices;

    private PriceSection(MarkdownPage page, Prices prices) {
        this.page = page;
        this.prices = prices;
    }

    static void write(MarkdownPage page, RepairReport report) {
        report.prices().ifPresent(prices -> new PriceSection(page, prices).write());
        report.pricesNote().ifPresent(note -> page.paragraph(Markdown.text(PriceWords.notMeasured(note))));
    }

    private void write() {
        page.paragraph("**" + Markdown.text(PriceWords.HEADING) + "**. " + Markdown.text(PriceWords.how(prices)));
        if (prices.scopes().isPresent()) {
            table(PriceWords.spreadTitle(prices), Price::spread);
        }
        table(PriceWords.hotTitle(prices), price -> Optional.of(price.hot()));
        table(
                "Of a call when nobody else runs, counted",
                PriceWords.COUNTED_HEADS,
                price -> Optional.of(PriceWords.counted(price)));
        page.paragraph(Markdown.text(PriceWords.LEGEND));
        page.paragraph(Markdown.text(PriceWords.HOT_LEGEND));
        prices.notes().forEach(note -> page.paragraph(Markdown.text(PriceWords.notMeasured(note))));
    }

    private void table(String title, Function<Price, Optional<Load>> load) {
        table(title, PriceWords.LOAD_HEADS, price -> load.apply(price).map(PriceWords::load));
    }

    private void table(String title, List<String> heads, Function<Price, Optional<List<String>>> cells) {
        page.paragraph(Markdown.text(title) + ":");
        page.table(
                Stream.concat(Stream.of(""), heads.stream()).toList(),
                Stream.concat(Stream.of(prices.unguarded()), prices.candidates().stream())
                        .flatMap(price -> cells.apply(price).stream().map(found -> row(price, found)))
                        .toList());
    }

    private static List<String> row(Price price, List<String> cells) {
        List<String> row = new ArrayList<>(List.of(Markdown.code(price.name())));
        cells.forEach(cell -> row.add(Markdown.text(cell)));
        return row;
    }
}
