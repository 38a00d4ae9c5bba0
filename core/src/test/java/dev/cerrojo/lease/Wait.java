package dev.cerrojo.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for a state, with a deadline. */
final class Wait {
    private Wait() {}

    static void until(String what, Callable<Boolean> state) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!state.call()) {
            assertThat(System.nanoTime()).as("deadline of: " + what).isLessThan(deadline);
            Thread.sleep(2);
        }
    }
}
