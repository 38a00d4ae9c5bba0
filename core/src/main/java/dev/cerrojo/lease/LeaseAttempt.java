package dev.cerrojo.lease;

import java.time.Duration;
import java.util.Objects;

/** What came of one attempt to take a lease. */
public sealed interface LeaseAttempt {
    /**
     * It is taken.
     *
     * @param token the store's fencing token: higher than that of each acquisition before that excludes this one, as far as the
     *     store remembers. 1 or more
     * @param validFor how long it is valid by the store's clock, from some time between the request and the answer on
     */
    record Granted(long token, Duration validFor) implements LeaseAttempt {
        /** Checks both. */
        public Granted {
            if (token < 1 || validFor.isNegative() || validFor.isZero()) {
                throw new IllegalArgumentException(
                        "a granted lease must have a token of 1 or more and last longer than PT0S, but had %d and %s"
                                .formatted(token, validFor));
            }
        }
    }

    /**
     * Somebody else has what excludes it; nothing was changed.
     *
     * @param heldFor after which time another attempt may succeed, if nobody renews or releases before; zero or more. An estimate
     */
    record Refused(Duration heldFor) implements LeaseAttempt {
        /** Takes a time that is over as zero. */
        public Refused {
            heldFor = Objects.requireNonNull(heldFor).isNegative() ? Duration.ZERO : heldFor;
        }
    }
}
