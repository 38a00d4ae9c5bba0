package dev.cerrojo.testsupport.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    @Test
    void pausedProgramStandsStillUntilItGoesOn() {
        try (TestProcess child = ChildJvm.start(Echo.class, "you")) {
            assertThat(child.awaitLine(line -> line.startsWith("hello"))).isEqualTo("hello you");
            child.pause();
            int before = child.lines().size();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            assertThat(child.lines().size()).isLessThanOrEqualTo(before + 1);
            child.resume();
            Await.until("it goes on", () -> child.lines().size() > before + 10);
        }
    }

    @Test
    void killedProgramHasEnded() {
        try (TestProcess child = ChildJvm.start(Echo.class, "you")) {
            child.awaitLine(line -> line.startsWith("count"));
            child.pause();
            child.kill();
            assertThat(child.alive()).isFalse();
            assertThatThrownBy(() -> child.awaitLine("never"::equals)).hasMessageContaining("ended");
        }
    }
}
