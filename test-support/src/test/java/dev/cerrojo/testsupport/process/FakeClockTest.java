package dev.cerrojo.testsupport.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class FakeClockTest {
    @Test
    void aRunningJvmSeesThatItsClockIsSetAndWaitsAsLongAsBefore() {
        Optional<FakeClock> found = FakeClock.create();
        assumeTrue(found.isPresent(), "libfaketime is missing, so this is not tested: apt-get install libfaketime");
        try (FakeClock clock = found.orElseThrow();
                TestProcess program = ChildJvm.start(clock.environment(), Watch.class)) {
            program.awaitLine(line -> line.startsWith("ahead 0 h"));
            clock.shift(Duration.ofHours(5));
            program.awaitLine(line -> line.startsWith("ahead 5 h"));
            clock.shift(Duration.ofHours(-5));
            program.awaitLine(line -> line.startsWith("ahead -5 h"));
            program.awaitLine(line -> line.endsWith("waited"));
        }
    }

    /** Says again and again by how much the clock differs from what it was at first, and whether a wait was one. */
    static final class Watch {
        private static final long WAIT = Duration.ofMillis(20).toNanos();

        public static void main(String[] arguments) {
            long offset = Instant.now().toEpochMilli() - System.nanoTime() / 1_000_000;
            while (true) {
                long start = System.nanoTime();
                LockSupport.parkNanos(WAIT);
                boolean waited = System.nanoTime() - start >= WAIT;
                long ahead = Instant.now().toEpochMilli() - System.nanoTime() / 1_000_000 - offset;
                System.out.printf("ahead %d h%s%n", Math.round(ahead / 3_600_000.0), waited ? ", waited" : "");
            }
        }
    }
}
