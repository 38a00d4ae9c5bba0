package dev.cerrojo.idempotency;

import dev.cerrojo.internal.DaemonThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * How requests and jobs are kept.
 *
 * <pre>{@code
 * IdempotencySettings settings = IdempotencySettings.builder()
 *         .retention(Duration.ofDays(7))
 *         .takeover(Takeover.RUN_AGAIN)
 *         .build();
 * }</pre>
 *
 * @param retention for how long a result is kept after it is there, PT1S to 366 days. After that the same key is a new request
 * @param claimFor how long a claim in phases is held without a sign of life, PT0.1S to PT24H: so long a key is blocked when its
 *     holder dies. It is renewed at half of it
 * @param waitUpTo how long, where claim and result are one commit, a repetition waits for the first one, PT0.001S to PT1H
 * @param takeover what is done about a claim whose holder gave no sign of life
 * @param threads makes the threads that renew claims
 */
public record IdempotencySettings(
        Duration retention, Duration claimFor, Duration waitUpTo, Takeover takeover, ThreadFactory threads) {
    private static final Duration DAY = Duration.ofDays(1);

    /** Checks each setting. */
    public IdempotencySettings {
        requireBetween("retention", retention, Duration.ofSeconds(1), DAY.multipliedBy(366));
        requireBetween("claimFor", claimFor, Duration.ofMillis(100), DAY);
        requireBetween("waitUpTo", waitUpTo, Duration.ofMillis(1), Duration.ofHours(1));
        Objects.requireNonNull(takeover);
        Objects.requireNonNull(threads);
    }

    private static void requireBetween(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException("%s must be %s to %s, but was %s".formatted(name, least, most, value));
        }
    }

    /**
     * {@return the settings that nothing was changed of}: kept for a day, claimed for 30 seconds, waited for up to 5, run again after a
     * takeover, daemon threads named {@code cerrojo-claim-…}
     */
    public static IdempotencySettings defaults() {
        return builder().build();
    }

    /** {@return a builder that begins with the {@linkplain #defaults() defaults}} */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects settings; each method changes one and returns the same builder. Used by one thread. */
    public static final class Builder {
        private Duration retention = DAY;
        private Duration claimFor = Duration.ofSeconds(30);
        private Duration waitUpTo = Duration.ofSeconds(5);
        private Takeover takeover = Takeover.RUN_AGAIN;
        private ThreadFactory threads = new DaemonThreads("cerrojo-claim-");

        private Builder() {}

        /** Sets for how long results are kept. */
        public Builder retention(Duration duration) {
            retention = duration;
            return this;
        }

        /** Sets how long a claim is held without a sign of life. */
        public Builder claimFor(Duration duration) {
            claimFor = duration;
            return this;
        }

        /** Limits how long a repetition waits for the first one. */
        public Builder waitUpTo(Duration limit) {
            waitUpTo = limit;
            return this;
        }

        /** Sets what is done about claims whose holders gave no sign of life. */
        public Builder takeover(Takeover choice) {
            takeover = choice;
            return this;
        }

        /** Sets what makes the threads. */
        public Builder threads(ThreadFactory factory) {
            threads = factory;
            return this;
        }

        /**
         * {@return the settings}
         *
         * @throws IllegalArgumentException when one is out of its range
         */
        public IdempotencySettings build() {
            return new IdempotencySettings(retention, claimFor, waitUpTo, takeover, threads);
        }
    }
}
