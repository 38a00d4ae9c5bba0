package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Load;
import dev.cerrojo.explorer.repair.Price;
import dev.cerrojo.explorer.repair.Prices;
import dev.cerrojo.explorer.report.Style.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Draws what repairs cost: a table for each load. */
final class PriceTable {
    private final Page page;
    private final Prices prices;

    private PriceTable(Page page, Prices prices) {
        this.page = page;
        this.prices = prices;
    }

    static void draw(Page page, Prices prices) {
        new PriceTable(page, prices).draw();
    }

    private void draw() {
        page.heading(PriceWords.HEADING);
        page.paragraph(2, Phrase.of(PriceWords.how(prices)));
        if (prices.scopes().isPresent()) {
            table(PriceWords.spreadTitle(prices), Price::spread);
        }
        table(PriceWords.hotTitle(prices), price -> Optional.of(price.hot()));
        counted();
        page.blank();
        page.paragraph(2, Phrase.of(Tone.FAINT, PriceWords.LEGEND));
        page.paragraph(2, Phrase.of(Tone.FAINT, PriceWords.HOT_LEGEND));
        prices.notes().forEach(note -> page.paragraph(2, Phrase.of(PriceWords.notMeasured(note))));
    }

    private void table(String title, Function<Price, Optional<Load>> load) {
        List<List<Phrase>> rows = new ArrayList<>();
        rows.add(row(Tone.STRONG, "", PriceWords.LOAD_HEADS));
        all().forEach(price -> load.apply(price)
                .ifPresent(measured -> rows.add(row(Tone.NORMAL, price.name(), PriceWords.load(measured)))));
        table(title, rows);
    }

    private void counted() {
        List<List<Phrase>> rows = new ArrayList<>();
        rows.add(row(Tone.STRONG, "", PriceWords.COUNTED_HEADS));
        all().forEach(price -> rows.add(row(Tone.NORMAL, price.name(), PriceWords.counted(price))));
        table("Of a call when nobody else runs, counted", rows);
    }

    private Stream<Price> all() {
        return Stream.concat(Stream.of(prices.unguarded()), prices.candidates().stream());
    }

    private void table(String title, List<List<Phrase>> rows) {
        page.blank();
        page.line(Phrase.of("  ").and(Tone.STRONG, title));
        page.table(4, rows);
    }

    private static List<Phrase> row(Tone tone, String name, List<String> cells) {
        return Stream.concat(Stream.of(name), cells.stream())
                .map(cell -> Phrase.of(tone, cell))
                .toList();
    }
}
