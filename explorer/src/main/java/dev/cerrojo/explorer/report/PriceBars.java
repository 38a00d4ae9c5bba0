package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.Load;
import dev.cerrojo.explorer.repair.Price;
import dev.cerrojo.explorer.repair.Prices;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What repairs cost, as bars: calls a second under each load, and what a call writes. */
final class PriceBars {
    private static final double WHOLE = 100;

    private final String part;
    private final Prices prices;

    private PriceBars(String part, Prices prices) {
        this.part = part;
        this.prices = prices;
    }

    /**
     * Makes them.
     *
     * @param part begins each anchor
     * @return one for each load that was measured, and the one of what was counted
     */
    static List<BarsView> of(String part, Prices prices) {
        return new PriceBars(part, prices).views();
    }

    private List<BarsView> views() {
        List<BarsView> views = new ArrayList<>();
        if (prices.scopes().isPresent()) {
            views.add(new BarsView(
                    part + "-spread",
                    "Cost: calls spread over %,d scopes"
                            .formatted(prices.scopes().getAsInt()),
                    PriceWords.how(prices) + " No two calls meet. " + PriceWords.SHORT_LEGEND,
                    "calls a second",
                    loads(Price::spread)));
        }
        views.add(new BarsView(
                part + "-hot",
                "Cost: all " + prices.clients() + " clients at once in one scope",
                (prices.scopes().isPresent() ? "" : PriceWords.how(prices) + " " + PriceWords.SHORT_LEGEND + " ")
                        + PriceWords.HOT_LEGEND,
                "calls a second",
                loads(price -> Optional.of(price.hot()))));
        views.add(new BarsView(
                part + "-counted",
                "Cost: round trips and write-ahead log",
                "Of a call when nobody else runs: counted, not timed.",
                "bytes of write-ahead log",
                counted()));
        return views;
    }

    private List<BarsView.Bar> loads(Function<Price, Optional<Load>> load) {
        double longest = prices.all()
                .flatMap(price -> load.apply(price).stream())
                .mapToDouble(each -> each.measured().throughput().median())
                .max()
                .orElse(0);
        return prices.all()
                .flatMap(price -> load.apply(price).stream()
                        .map(each -> new BarsView.Bar(
                                price.name(),
                                percent(each.measured().throughput().median(), longest),
                                PriceWords.perSecond(each),
                                words(price, each))))
                .toList();
    }

    private String words(Price price, Load load) {
        List<String> cells = PriceWords.load(load);
        List<String> words = new ArrayList<>();
        if (!price.equals(prices.unguarded())) {
            words.add(cells.get(1) + " of unguarded");
        }
        words.add("p50 " + cells.get(2) + " ms");
        words.add("p99 " + cells.get(3) + " ms");
        if (load.measured().retriesPerTransaction().median() > 0) {
            words.add(cells.get(4) + " retries");
        }
        if (load.waitingMillis() > 0) {
            words.add(cells.get(5) + " ms waiting for locks");
        }
        if (load.refused() + load.failed() > 0) {
            words.add(cells.get(6) + " refused");
        }
        return String.join(", ", words);
    }

    private List<BarsView.Bar> counted() {
        double longest = prices.all()
                .mapToDouble(price -> (double) price.walBytes())
                .max()
                .orElse(0);
        return prices.all()
                .map(price -> new BarsView.Bar(
                        price.name(),
                        percent((double) price.walBytes(), longest),
                        String.format(Locale.ROOT, "%,d", price.walBytes()),
                        price.equals(prices.unguarded())
                                ? price.isolation()
                                : PriceWords.trips(price) + ", " + price.isolation()))
                .toList();
    }

    private static double percent(double value, double longest) {
        return longest <= 0 ? 0 : Math.round(WHOLE * WHOLE * value / longest) / WHOLE;
    }
}
