package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.measure.Spread;
import dev.cerrojo.explorer.repair.Load;
import dev.cerrojo.explorer.repair.Price;
import dev.cerrojo.explorer.repair.Prices;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What repairs cost, as JSON. */
final class PriceJson {
    /** A reader of numbers is told no more than was measured. */
    private static final MathContext DIGITS = new MathContext(4);

    private PriceJson() {}

    static Map<String, @Nullable Object> of(Prices prices) {
        return new JsonObject()
                .put("server", prices.server())
                .put("clients", prices.clients())
                .put("scopes", boxed(prices))
                .put("rounds", prices.rounds())
                .put("elapsedMillis", prices.measured())
                .put("unguarded", price(prices.unguarded()))
                .put(
                        "candidates",
                        prices.candidates().stream().map(PriceJson::price).toList())
                .put("notes", prices.notes())
                .fields();
    }

    private static Optional<Integer> boxed(Prices prices) {
        return prices.scopes().isPresent() ? Optional.of(prices.scopes().getAsInt()) : Optional.empty();
    }

    private static Map<String, @Nullable Object> price(Price price) {
        return new JsonObject()
                .put("name", price.name())
                .put("isolation", price.isolation())
                .put("extraRoundTrips", price.extraRoundTrips())
                .put("walBytes", price.walBytes())
                .put("hot", load(price.hot()))
                .put("spread", price.spread().map(PriceJson::load))
                .fields();
    }

    private static Map<String, @Nullable Object> load(Load load) {
        Measured measured = load.measured();
        return new JsonObject()
                .put("callsPerSecond", spread(measured.throughput()))
                .put("throughputRatio", spread(measured.throughputRatio()))
                .put("p50Millis", spread(measured.p50()))
                .put("p99Millis", spread(measured.p99()))
                .put("p99Ratio", spread(measured.p99Ratio()))
                .put("retriesPerCall", spread(measured.retriesPerTransaction()))
                .put("waitingMillis", rounded(load.waitingMillis()))
                .put("committed", load.committed())
                .put("refused", load.refused())
                .put("failed", load.failed())
                .fields();
    }

    private static Map<String, @Nullable Object> spread(Spread spread) {
        return new JsonObject()
                .put("median", rounded(spread.median()))
                .put("low", rounded(spread.low()))
                .put("high", rounded(spread.high()))
                .fields();
    }

    /** What cannot be told, such as a ratio to nothing, is 0. */
    private static double rounded(double number) {
        return Double.isFinite(number) ? new BigDecimal(number).round(DIGITS).doubleValue() : 0;
    }
}
