package dev.cerrojo.explorer.repair;

import dev.cerrojo.explorer.measure.Measured;

/**
 * How one contender did under one load.
 *
 * @param measured throughput, latencies and retries; ratios are to the unguarded transactions under the same load
 * @param waitingMillis how long a call waited for locks on average, in milliseconds, from samples
 * @param committed calls that committed, in all rounds
 * @param refused calls that the rule refused: they are answers too, and ended as they should
 * @param failed calls that ended with an error after all retries
 */
public record Load(Measured measured, double waitingMillis, long committed, long refused, long failed) {
    /** {@return calls that ended, in whatever way} */
    public long calls() {
        return committed + refused + failed;
    }
}
