package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private static final Duration HELD = Duration.ofSeconds(4);

    /** The answer took so long that the first beat of the rhythm would come after the deadline. */
    @Test
    void whatWasGrantedLongAgoIsRenewedBeforeItIsOver() throws Exception {
        long sent = System.nanoTime() - HELD.toNanos() * 7 / 10;
        CompletableFuture<String> first = new CompletableFuture<>();
        try (Workers workers = new Workers(new DaemonThreads("test-"))) {
            Heartbeat heartbeat = new Heartbeat(
                    () -> {
                        first.complete("renewed");
                        return Optional.of(HELD);
                    },
                    HELD.dividedBy(2),
                    workers,
                    LocalDeadline.of(sent, HELD),
                    end -> first.complete(end.toString()));
            heartbeat.start();
            assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("renewed");
            heartbeat.stop();
        }
    }

    @Test
    void whatIsOverWhenItsAnswerComesEndsAtOnce() throws Exception {
        CompletableFuture<Heartbeat.End> ended = new CompletableFuture<>();
        try (Workers workers = new Workers(new DaemonThreads("test-"))) {
            long sent = System.nanoTime() - HELD.toNanos();
            new Heartbeat(Optional::empty, HELD.dividedBy(2), workers, LocalDeadline.of(sent, HELD), ended::complete)
                    .start();
            assertThat(ended.get(30, TimeUnit.SECONDS)).isNotNull();
        }
    }
}
