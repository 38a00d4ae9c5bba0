package dev.cerrojo.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestKeyTest {
    /** Half a surrogate pair is written as a question mark: two keys would be one. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b", "\ud83d", "\ude00 \ud83d"})
    void noPartIsWhatAStoreWouldChange(String part) {
        assertThatThrownBy(() -> RequestKey.of(part, "ana", "k")).hasMessageContaining("operation must have 1 to 255");
        assertThatThrownBy(() -> RequestKey.of("pay", part, "k")).hasMessageContaining("caller must have 1 to 255");
        assertThatThrownBy(() -> RequestKey.of("pay", "ana", part)).hasMessageContaining("key must have 1 to 255");
        assertThatThrownBy(() -> JobKey.of("pay", part)).hasMessageContaining("key must have 1 to 255");
    }

    @Test
    void aPartMayHaveAnyOtherCharacter() {
        assertThat(RequestKey.of("pay", "ana", "\ud83d\ude00 \u00e9\n/%").key()).hasSize(7);
    }

    @Test
    void theHashOfTheInputIsAKey() {
        RequestHash input = RequestHash.ofText("three apples");
        assertThat(RequestKey.fromInput("pay", "ana", input)).isEqualTo(RequestKey.of("pay", "ana", "sha256:" + input));
    }
}
