package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.measure.Measured;
import dev.cerrojo.explorer.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What prices say for and against candidates. */
final class PriceReasons {
    /** Less than a tenth is not worth a change of mind, however steady it is. */
    private static final double WORTH = 1.1;

    private final Prices prices;

    PriceReasons(Prices prices) {
        this.prices = prices;
    }

    /**
     * Whether one is cheaper than another beyond doubt: by a tenth or more, with spreads that do not overlap, of what was measured
     * and of its ratio to the unguarded transactions. Where both were measured in many scopes, that counts, unless one scope
     * says the opposite as clearly.
     */
    boolean isClearlyCheaper(CandidateResult one, CandidateResult other) {
        Optional<Price> mine = prices.of(one.candidate());
        Optional<Price> its = prices.of(other.candidate());
        return mine.isPresent() && its.isPresent() && isClearlyCheaper(mine.orElseThrow(), its.orElseThrow());
    }

    private static boolean isClearlyCheaper(Price one, Price other) {
        if (one.spread().isEmpty() || other.spread().isEmpty()) {
            return isClearlyMore(one.hot(), other.hot());
        }
        return isClearlyMore(one.spread().orElseThrow(), other.spread().orElseThrow())
                && !isClearlyMore(other.hot(), one.hot());
    }

    /** By calls that commit: who refuses more calls than the rule asks for must not look fast. */
    private static boolean isClearlyMore(Load one, Load other) {
        return isClearlyMore(
                        scaled(one.measured().throughput(), one),
                        scaled(other.measured().throughput(), other))
                && isClearlyMore(
                        scaled(one.measured().throughputRatio(), one),
                        scaled(other.measured().throughputRatio(), other));
    }

    private static boolean isClearlyMore(Spread one, Spread other) {
        return one.low() > other.high() && one.median() >= WORTH * other.median();
    }

    private static Spread scaled(Spread spread, Load load) {
        double share = load.calls() == 0 ? 0 : (double) load.committed() / load.calls();
        return new Spread(spread.median() * share, spread.low() * share, spread.high() * share);
    }

    /** {@return what a candidate costs, in sentences; none when it was not measured} */
    List<String> of(Candidate candidate) {
        return prices.of(candidate).map(this::sentences).orElse(List.of());
    }

    private List<String> sentences(Price price) {
        List<String> sentences = new ArrayList<>();
        price.spread().ifPresent(load -> sentences.add(spread(load)));
        sentences.add(hot(price.hot()));
        sentences.add("A call makes " + trips(price.extraRoundTrips()) + " and writes " + price.walBytes()
                + " bytes of write-ahead log (unguarded: " + prices.unguarded().walBytes() + "), counted.");
        return sentences;
    }

    private String spread(Load load) {
        Measured measured = load.measured();
        Optional<Load> unguarded = prices.unguarded().spread();
        return String.format(
                Locale.ROOT,
                "Over %,d scopes it reaches %s of the unguarded throughput (%,.0f of %,.0f calls a second, %d clients),"
                        + " with a p99 of %.1f ms (unguarded: %.1f ms).",
                prices.scopes().orElse(0),
                withSpread(measured.throughputRatio()),
                measured.throughput().median(),
                unguarded.map(base -> base.measured().throughput().median()).orElse(0.0),
                prices.clients(),
                measured.p99().median(),
                unguarded.map(base -> base.measured().p99().median()).orElse(0.0));
    }

    private String hot(Load load) {
        Measured measured = load.measured();
        return String.format(
                Locale.ROOT,
                "With %d clients in one scope at the same moment it answers %,.0f calls a second, with a p99 of %.1f ms; a call"
                        + " waits %.2f ms for locks and is run again %.2f times.",
                prices.clients(),
                measured.throughput().median(),
                measured.p99().median(),
                load.waitingMillis(),
                measured.retriesPerTransaction().median());
    }

    private static String trips(int extra) {
        return extra == 0
                ? "no round trip more"
                : Math.abs(extra)
                        + (Math.abs(extra) == 1 ? " round trip " : " round trips ")
                        + (extra > 0 ? "more" : "less");
    }

    static String withSpread(Spread spread) {
        return String.format(Locale.ROOT, "%.2f [%.2f to %.2f]", spread.median(), spread.low(), spread.high());
    }

    /** {@return the ratio by which a candidate is judged, for people} */
    String ratio(Candidate candidate) {
        return prices.of(candidate)
                .map(price -> price.spread().orElse(price.hot()))
                .map(load -> withSpread(load.measured().throughputRatio()) + " of the unguarded throughput")
                .orElse("not measured");
    }
}
