package dev.cerrojo.lease;

import dev.cerrojo.internal.LocalDeadline;

/**
 * What a store has granted.
 *
 * @param token the fencing token
 * @param held until when this process may rely on it
 */
record Holding(LeaseClaim claim, long token, LocalDeadline held) {
    /** {@return the nanoseconds that are left; negative when it is over} */
    long left() {
        return held.left();
    }
}
