package dev.cerrojo.lease;

import dev.cerrojo.internal.DaemonThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * How leases are held and waited for.
 *
 * <pre>{@code
 * LeaseSettings settings = LeaseSettings.builder()
 *         .leaseDuration(Duration.ofSeconds(5))
 *         .waitUpTo(Duration.ofMinutes(1))
 *         .build();
 * }</pre>
 *
 * @param leaseDuration how long a lease is held without being renewed, PT0.1S to PT24H. So long a holder that died is in others' way,
 *     and so long one may stand still without losing it. Below 2 seconds a busy machine loses leases
 * @param renewEvery how often it is renewed; at most two thirds of {@code leaseDuration}, so that it can be tried again
 * @param waitUpTo how long {@code acquire} waits for others, PT0S to PT24H
 * @param pollEvery how often who waits asks again when no hint comes, PT0.01S to PT1M
 * @param interruptOnLoss whether the thread in {@link Lease#run} is interrupted when the lease is lost
 * @param threads makes the threads that renew leases and tell of losses
 */
public record LeaseSettings(
        Duration leaseDuration,
        Duration renewEvery,
        Duration waitUpTo,
        Duration pollEvery,
        boolean interruptOnLoss,
        ThreadFactory threads) {
    private static final Duration LONGEST = Duration.ofDays(1);

    /** Checks each setting, and how they relate. */
    public LeaseSettings {
        Objects.requireNonNull(threads);
        requireBetween("leaseDuration", leaseDuration, Duration.ofMillis(100), LONGEST);
        requireBetween("renewEvery", renewEvery, Duration.ofMillis(10), LONGEST);
        requireBetween("waitUpTo", waitUpTo, Duration.ZERO, LONGEST);
        requireBetween("pollEvery", pollEvery, Duration.ofMillis(10), Duration.ofMinutes(1));
        Duration latest = leaseDuration.multipliedBy(2).dividedBy(3);
        require(
                renewEvery.compareTo(latest) <= 0,
                "renewEvery must be at most two thirds of leaseDuration, so that a renewal that fails can be tried again: %s of %s, but was %s"
                        .formatted(latest, leaseDuration, renewEvery));
    }

    private static void requireBetween(String name, Duration value, Duration least, Duration most) {
        require(
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                "%s must be %s to %s, but was %s".formatted(name, least, most, value));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * {@return the settings that nothing was changed of}: 30 seconds, renewed every 15, waited for up to 10 seconds, asked every half a
     * second, interrupted on loss, daemon threads named {@code cerrojo-lease-…}
     */
    public static LeaseSettings defaults() {
        return builder().build();
    }

    /** {@return a builder that begins with the {@linkplain #defaults() defaults}} */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects settings; each method changes one and returns the same builder. Used by one thread. */
    public static final class Builder {
        private Duration leaseDuration = Duration.ofSeconds(30);
        private Duration renewEvery = Duration.ZERO;
        private Duration waitUpTo = Duration.ofSeconds(10);
        private Duration pollEvery = Duration.ofMillis(500);
        private boolean interruptOnLoss = true;
        private ThreadFactory threads = new DaemonThreads("cerrojo-lease-");

        private Builder() {}

        /** Sets how long a lease is held without being renewed. */
        public Builder leaseDuration(Duration duration) {
            leaseDuration = duration;
            return this;
        }

        /** Sets how often it is renewed; half of its duration if it is not set. */
        public Builder renewEvery(Duration interval) {
            if (interval.isZero()) {
                throw new IllegalArgumentException("renewEvery must be PT0.01S or longer, but was PT0S");
            }
            renewEvery = interval;
            return this;
        }

        /** Limits how long is waited for others. */
        public Builder waitUpTo(Duration limit) {
            waitUpTo = limit;
            return this;
        }

        /** Sets how often who waits asks again when no hint comes. */
        public Builder pollEvery(Duration interval) {
            pollEvery = interval;
            return this;
        }

        /** Lets a thread be interrupted when it runs work under a lease that is lost, or not. */
        public Builder interruptOnLoss(boolean interrupted) {
            interruptOnLoss = interrupted;
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
         * @throws IllegalArgumentException when one is out of its range, or does not fit another
         */
        public LeaseSettings build() {
            Duration interval = renewEvery.isZero() ? leaseDuration.dividedBy(2) : renewEvery;
            return new LeaseSettings(leaseDuration, interval, waitUpTo, pollEvery, interruptOnLoss, threads);
        }
    }
}
