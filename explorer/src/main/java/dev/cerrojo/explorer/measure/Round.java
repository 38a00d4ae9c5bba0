package dev.cerrojo.explorer.measure;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** What the clients of one contender did in one round. */
final class Round {
    private static final double NANOS_PER_MILLI = 1e6;

    private final double seconds;
    private final long[] latencies;
    private final long retries;

    /**
     * A round.
     *
     * @param seconds how long clients ran
     * @param latencies of each transaction, retries included, in nanoseconds
     * @param retries how often a transaction was run again
     */
    Round(double seconds, long[] latencies, long retries) {
        this.seconds = seconds;
        this.latencies = latencies.clone();
        this.retries = retries;
        Arrays.sort(this.latencies);
    }

    /** Rounds are made of bursts, between which nothing is measured. */
    static final class Sum {
        private final LongStream.Builder latencies = LongStream.builder();
        private double nanos;
        private long retries;

        void add(LongStream each, long runAgain) {
            each.forEach(latencies::add);
            retries += runAgain;
        }

        void lasted(double burstNanos) {
            nanos += burstNanos;
        }

        Round round() {
            return new Round(
                    nanos / TimeUnit.SECONDS.toNanos(1), latencies.build().toArray(), retries);
        }
    }

    long transactions() {
        return latencies.length;
    }

    double perSecond() {
        return latencies.length / seconds;
    }

    /** {@return the latency that a share of the transactions stayed within, in milliseconds; 0 without any} */
    double millis(double share) {
        return latencies.length == 0
                ? 0
                : latencies[(int) Math.min(latencies.length - 1L, (long) (share * latencies.length))] / NANOS_PER_MILLI;
    }

    double retriesPerTransaction() {
        return latencies.length == 0 ? 0 : (double) retries / latencies.length;
    }
}
