package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.measure.Spread;
import dev.cerrojo.explorer.repair.Load;
import dev.cerrojo.explorer.repair.Price;
import dev.cerrojo.explorer.repair.Prices;
import java.util.List;
import java.util.Locale;

/** How reports say what repairs cost. */
final class PriceWords {
    static final String HEADING = "What the repairs cost that hold";

    static final String LEGEND =
            "Medians of the rounds, which were run by turns; [lower and upper quartile]. A refused call is a call that was"
                    + " answered. retries: per call, on 40001 and 40P01. wait: for locks, of the time of a call. log:"
                    + " write-ahead log. Compare candidates with each other: on another machine all numbers are others.";

    static final String SHORT_LEGEND =
            "Medians of the rounds [lower and upper quartile]. On another machine all numbers are others.";

    private static final double UNSTEADY_SHARE = 0.33;
    private static final String UNSTEADY =
            " The rounds differ much: something else took the machine's time. A longer --cost-time is steadier.";

    static final String HOT_LEGEND =
            "In one scope, what holds refuses calls that the unguarded transactions let through, and a refused call writes"
                    + " nothing: there, compare the candidates with each other, not with unguarded.";

    private PriceWords() {}

    static String how(Prices prices) {
        return String.format(
                Locale.ROOT,
                "%d clients on %s, durable commits, %d rounds of each by turns, %.0f s in all.%s",
                prices.clients(),
                prices.server(),
                prices.rounds(),
                prices.measured().toMillis() / 1e3,
                isUnsteady(prices) ? UNSTEADY : "");
    }

    /** For half of the candidates, the quartiles lie further apart than a third of what is between them. */
    private static boolean isUnsteady(Prices prices) {
        long unsteady = prices.candidates().stream()
                .map(price -> price.spread().orElse(price.hot()).measured().throughputRatio())
                .filter(ratio -> ratio.high() - ratio.low() > UNSTEADY_SHARE * ratio.median())
                .count();
        return unsteady > 0 && unsteady * 2 >= prices.candidates().size();
    }

    static String spreadTitle(Prices prices) {
        return String.format(
                Locale.ROOT,
                "Spread over %,d scopes: no two calls meet",
                prices.scopes().orElse(0));
    }

    static String hotTitle(Prices prices) {
        return "All " + prices.clients() + " at once in one scope";
    }

    /** {@return numbers of a load: calls a second, the ratio with its spread, latencies, retries, waiting, refused} */
    static List<String> load(Load load) {
        Measured measured = load.measured();
        return List.of(
                perSecond(load),
                ratio(measured.throughputRatio()),
                millis(measured.p50().median()),
                millis(measured.p99().median()),
                decimal(measured.retriesPerTransaction().median()),
                millis(load.waitingMillis()),
                refused(load));
    }

    static final List<String> LOAD_HEADS =
            List.of("calls/s", "of unguarded", "p50 ms", "p99 ms", "retries", "wait ms", "refused");

    static String perSecond(Load load) {
        return String.format(Locale.ROOT, "%,.0f", load.measured().throughput().median());
    }

    static String ratio(Spread ratio) {
        return String.format(Locale.ROOT, "%.2f [%.2f %.2f]", ratio.median(), ratio.low(), ratio.high());
    }

    static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.2f" : "%.1f", millis);
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }

    private static String refused(Load load) {
        long calls = Math.max(1, load.calls());
        String share = Math.round(100.0 * load.refused() / calls) + "%";
        return load.failed() == 0
                ? share
                : share + ", " + String.format(Locale.ROOT, "%.1f", 100.0 * load.failed() / calls) + "% failed";
    }

    /** {@return round trips and log of a call} */
    static List<String> counted(Price price) {
        return List.of(extra(price), String.format(Locale.ROOT, "%,d", price.walBytes()));
    }

    private static String extra(Price price) {
        return price.extraRoundTrips() == 0 ? "0" : String.format(Locale.ROOT, "%+d", price.extraRoundTrips());
    }

    static String trips(Price price) {
        return extra(price) + (Math.abs(price.extraRoundTrips()) == 1 ? " round trip" : " round trips");
    }

    static final List<String> COUNTED_HEADS = List.of("more round trips", "bytes of log");

    static String notMeasured(String note) {
        return "Not measured: " + Printable.of(note) + ".";
    }
}
