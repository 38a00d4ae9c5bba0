package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Load;
import dev.cerrojo.explorer.repair.Price;
import dev.cerrojo.explorer.repair.Prices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What repairs cost, as a table, however it is drawn.
 *
 * @param title what it is about
 * @param heads of the columns behind the name
 * @param rows the unguarded transactions first
 */
record PriceRows(String title, List<String> heads, List<Row> rows) {
    /**
     * What one of them costs.
     *
     * @param name its name
     * @param cells one for each head
     */
    record Row(String name, List<String> cells) {}

    /** {@return a table for each load that was measured, and the one of what was counted} */
    static List<PriceRows> of(Prices prices) {
        List<PriceRows> tables = new ArrayList<>();
        if (prices.scopes().isPresent()) {
            tables.add(ofLoad(prices, PriceWords.spreadTitle(prices), Price::spread));
        }
        tables.add(ofLoad(prices, PriceWords.hotTitle(prices), price -> Optional.of(price.hot())));
        tables.add(of(
                prices,
                "Of a call when nobody else runs, counted",
                PriceWords.COUNTED_HEADS,
                price -> Optional.of(PriceWords.counted(price))));
        return tables;
    }

    private static PriceRows ofLoad(Prices prices, String title, Function<Price, Optional<Load>> load) {
        return of(
                prices, title, PriceWords.LOAD_HEADS, price -> load.apply(price).map(PriceWords::load));
    }

    private static PriceRows of(
            Prices prices, String title, List<String> heads, Function<Price, Optional<List<String>>> cells) {
        return new PriceRows(
                title,
                heads,
                prices.all()
                        .flatMap(price -> cells.apply(price).stream().map(found -> new Row(price.name(), found)))
                        .toList());
    }
}
