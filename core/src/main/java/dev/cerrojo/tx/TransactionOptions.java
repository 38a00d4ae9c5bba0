package dev.cerrojo.tx;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How transactions are run.
 *
 * <pre>{@code
 * TransactionOptions options = TransactionOptions.builder()
 *         .isolation(Isolation.SERIALIZABLE)
 *         .deadline(Duration.ofSeconds(5))
 *         .build();
 * }</pre>
 *
 * @param isolation the level; empty for that of the connection. Setting it costs a round trip
 * @param readOnly whether writing is refused by PostgreSQL. Setting it costs a round trip, one with the level
 * @param deadline how long all attempts may take, waits included; empty for no limit. A statement that still runs then is
 *     cancelled, and its transaction rolled back
 * @param maxAttempts how often the work may be run, 1 or more
 * @param backoffBase the wait before the second attempt is a random time up to it; up to twice it before the third, and so on
 *     ("full jitter"). Zero for no wait
 * @param backoffCap the most that it grows to
 * @param outer what is done when the data source hands out a connection on which a transaction is open already
 */
public record TransactionOptions(
        Optional<Isolation> isolation,
        boolean readOnly,
        Optional<Duration> deadline,
        int maxAttempts,
        Duration backoffBase,
        Duration backoffCap,
        OuterTransaction outer) {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Checks each setting. */
    public TransactionOptions {
        Objects.requireNonNull(isolation);
        Objects.requireNonNull(outer);
        deadline.ifPresent(TransactionOptions::requireDeadline);
        require(maxAttempts >= 1, "maxAttempts must be 1 or more (1: never run again), but was " + maxAttempts);
        require(
                !backoffBase.isNegative()
                        && backoffBase.compareTo(backoffCap) <= 0
                        && backoffCap.compareTo(LONGEST) <= 0,
                "backoff must be a base from PT0S and a cap from that base to PT24H, but was %s to %s"
                        .formatted(backoffBase, backoffCap));
    }

    private static void requireDeadline(Duration deadline) {
        require(
                deadline.compareTo(Duration.ZERO) > 0 && deadline.compareTo(LONGEST) <= 0,
                "deadline must be longer than PT0S and at most PT24H, but was %s: leave it out (noDeadline()) for no limit"
                        .formatted(deadline));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * {@return the options that nothing was changed of}: the level of the connection, read and write, within 30 seconds, run up to
     * 20 times, waits of up to 5 ms that grow to 500 ms, other transactions refused
     */
    public static TransactionOptions defaults() {
        return builder().build();
    }

    /** {@return a builder that begins with the {@linkplain #defaults() defaults}} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder that begins with these options} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.isolation = isolation;
        builder.readOnly = readOnly;
        builder.deadline = deadline;
        builder.maxAttempts = maxAttempts;
        builder.backoffBase = backoffBase;
        builder.backoffCap = backoffCap;
        builder.outer = outer;
        return builder;
    }

    /** Collects options; each method changes one and returns the same builder. Used by one thread. */
    public static final class Builder {
        private Optional<Isolation> isolation = Optional.empty();
        private boolean readOnly;
        private Optional<Duration> deadline = Optional.of(Duration.ofSeconds(30));
        private int maxAttempts = 20;
        private Duration backoffBase = Duration.ofMillis(5);
        private Duration backoffCap = Duration.ofMillis(500);
        private OuterTransaction outer = OuterTransaction.REFUSE;

        private Builder() {}

        /** Asks for a level, whatever that of the connection is. */
        public Builder isolation(Isolation level) {
            isolation = Optional.of(level);
            return this;
        }

        /** Lets PostgreSQL refuse writing, or not. */
        public Builder readOnly(boolean refused) {
            readOnly = refused;
            return this;
        }

        /** Limits the time of all attempts together. */
        public Builder deadline(Duration limit) {
            deadline = Optional.of(limit);
            return this;
        }

        /** Sets no limit: statements may wait for ever, and only {@link #maxAttempts} ends the retries. */
        public Builder noDeadline() {
            deadline = Optional.empty();
            return this;
        }

        /** Limits how often the work is run; 1 for never again. */
        public Builder maxAttempts(int most) {
            maxAttempts = most;
            return this;
        }

        /** Sets how long is waited between attempts: a random time up to the base, which doubles up to the cap. */
        public Builder backoff(Duration base, Duration cap) {
            backoffBase = base;
            backoffCap = cap;
            return this;
        }

        /** Sets what is done when a transaction is open already. */
        public Builder outer(OuterTransaction choice) {
            outer = choice;
            return this;
        }

        /**
         * {@return the options}
         *
         * @throws IllegalArgumentException when one is out of its range
         */
        public TransactionOptions build() {
            return new TransactionOptions(isolation, readOnly, deadline, maxAttempts, backoffBase, backoffCap, outer);
        }
    }
}
