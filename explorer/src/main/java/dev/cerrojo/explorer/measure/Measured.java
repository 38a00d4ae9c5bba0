package dev.cerrojo.explorer.measure;

import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a comparison measured of one contender. A ratio is taken round by round, of rounds that ran one after the other, so
 * that what disturbs the machine disturbs both.
 *
 * @param name the contender's
 * @param throughput transactions per second
 * @param p50 the median latency, in milliseconds
 * @param p99 the latency that 99 of 100 transactions stayed within, in milliseconds
 * @param retriesPerTransaction how often a transaction was run again, on average
 * @param throughputRatio its throughput by that of the first contender
 * @param p99Ratio its p99 by that of the first contender
 * @param transactions how many there were in all rounds
 */
public record Measured(
        String name,
        Spread throughput,
        Spread p50,
        Spread p99,
        Spread retriesPerTransaction,
        Spread throughputRatio,
        Spread p99Ratio,
        long transactions) {
    private static final double P50 = 0.5;
    private static final double P99 = 0.99;

    static Measured of(String name, List<Round> rounds, List<Round> first) {
        return new Measured(
                name,
                spread(rounds, Round::perSecond),
                spread(rounds, round -> round.millis(P50)),
                spread(rounds, round -> round.millis(P99)),
                spread(rounds, Round::retriesPerTransaction),
                ratio(rounds, first, (one, other) -> one.perSecond() / other.perSecond()),
                ratio(rounds, first, (one, other) -> one.millis(P99) / other.millis(P99)),
                rounds.stream().mapToLong(Round::transactions).sum());
    }

    private static Spread spread(List<Round> rounds, ToDoubleFunction<Round> measure) {
        return Spread.of(rounds.stream().mapToDouble(measure).boxed().toList());
    }

    private static Spread ratio(List<Round> rounds, List<Round> first, ToDoubleBiFunction<Round, Round> ratio) {
        return Spread.of(IntStream.range(0, rounds.size())
                .mapToObj(i -> ratio.applyAsDouble(rounds.get(i), first.get(i)))
                .toList());
    }
}
