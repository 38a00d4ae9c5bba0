package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class TransactionOptionsTest {
    private static void isRefused(UnaryOperator<TransactionOptions.Builder> change, String what, String value) {
        assertThatThrownBy(() -> change.apply(TransactionOptions.builder()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(what)
                .hasMessageContaining(value);
    }

    @Test
    void whatIsOutOfRangeIsRefusedWithTheValueAndTheRange() {
        isRefused(it -> it.deadline(Duration.ZERO), "deadline must be", "was PT0S");
        isRefused(it -> it.deadline(Duration.ofDays(2)), "deadline must be", "at most PT24H");
        isRefused(it -> it.maxAttempts(0), "maxAttempts must be 1 or more", "was 0");
        isRefused(it -> it.backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)), "backoff must be", "PT2S to PT1S");
        isRefused(it -> it.backoff(Duration.ofSeconds(-1), Duration.ZERO), "backoff must be", "PT-1S");
    }

    @Test
    void aBuilderBeginsWithTheOptionsItIsOf() {
        TransactionOptions options = TransactionOptions.builder()
                .isolation(Isolation.SERIALIZABLE)
                .readOnly(true)
                .noDeadline()
                .maxAttempts(3)
                .backoff(Duration.ZERO, Duration.ofSeconds(1))
                .outer(OuterTransaction.JOIN)
                .build();

        assertThat(options.toBuilder().build()).isEqualTo(options);
        assertThat(options).isNotEqualTo(TransactionOptions.defaults());
    }

    @Test
    void theLimitOfAWaitDoublesUpToTheCap() {
        Backoff backoff = new Backoff(Duration.ofMillis(5), Duration.ofMillis(500));

        assertThat(backoff.limit(1)).isEqualTo(Duration.ofMillis(5));
        assertThat(backoff.limit(4)).isEqualTo(Duration.ofMillis(40));
        assertThat(backoff.limit(1_000)).isEqualTo(Duration.ofMillis(500));
        assertThat(new Backoff(Duration.ofHours(24), Duration.ofHours(24)).limit(1_000))
                .isEqualTo(Duration.ofHours(24));
        assertThat(backoff.random(3)).isBetween(Duration.ZERO, Duration.ofMillis(20));
    }
}
