package dev.cerrojo.leasefaults.history;

import dev.cerrojo.leasefaults.history.State.Hold;
import java.time.Duration;
import java.util.Set;

/**
 * How long a store lets a lease last.
 *
 * @param lease at least so long
 * @param late and so much longer at most
 */
record Timing(Duration lease, Duration late) {
    /** By so much the store's clock and the machine's may differ over the time of a lease. */
    static final long TOLERANCE_NANOS = 5_000_000;

    /** {@return what is held by a call that had its effect between two moments} */
    Hold held(Set<String> groups, long earliest, long latest) {
        long most = lease.plus(late).toNanos() + TOLERANCE_NANOS;
        return new Hold(groups, earliest + lease.toNanos(), latest > Call.NEVER - most ? Call.NEVER : latest + most);
    }
}
