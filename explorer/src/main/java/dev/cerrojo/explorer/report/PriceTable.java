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
        page.blank();
        page.paragraph(2, Phrase.of(Tone.FAINT, PriceWords.LEGEND));
        page.paragraph(2, Phrase.of(Tone.FAINT, PriceWords.HOT_LEGEND));
        prices.notes().forEach(note -> page.paragraph(2, Phrase.of(PriceWords.notMeasured(note))));
    }

    private void table(String title, Function<Price, Optional<Load>> load) {
        List<List<Phrase>> rows = new ArrayList<>();
        rows.add(heads());
        Stream.concat(Stream.of(prices.unguarded()), prices.candidates().stream())
                .forEach(price -> load.apply(price).ifPresent(measured -> rows.add(row(price, measured))));
        page.blank();
        page.line(Phrase.of("  ").and(Tone.STRONG, title));
        page.table(4, rows);
    }

    private static List<Phrase> heads() {
        return Stream.of(Stream.of(""), PriceWords.LOAD_HEADS.stream(), PriceWords.COUNTED_HEADS.stream())
                .flatMap(heads -> heads)
                .map(head -> Phrase.of(Tone.STRONG, head))
                .toList();
    }

    private static List<Phrase> row(Price price, Load load) {
        return Stream.of(Stream.of(price.name()), PriceWords.load(load).stream(), PriceWords.counted(price).stream())
                .flatMap(cells -> cells)
                .map(Phrase::of)
                .toList();
    }
}
