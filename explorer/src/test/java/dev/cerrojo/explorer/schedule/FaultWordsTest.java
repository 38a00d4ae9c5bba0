package dev.cerrojo.explorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults in the one word that stands for a schedule. */
class FaultWordsTest {
    @ParameterizedTest
    @ValueSource(strings = {"AAA!BB", "AA?AABB", "A!A?B(B)Z!", "AB!", ""})
    void aWordIsReadAsItIsPrinted(String word) {
        assertThat(Schedule.parse(word)).hasToString(word);
    }

    @Test
    void aMarkIsAboutTheLetterBeforeIt() {
        assertThat(Schedule.parse("AB!A?").choices())
                .isEqualTo(List.of(
                        new Choice.Turn(0),
                        new Choice.Turn(1, Optional.of(Fault.CRASH)),
                        new Choice.Turn(0, Optional.of(Fault.LOST_ANSWER))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"!A", "A!!", "A(B!)", "A ? B!?"})
    void aMarkWithoutALetterMeansNothing(String word) {
        assertThatIllegalArgumentException().isThrownBy(() -> Schedule.parse(word));
    }

    @Test
    void everyOptionIsOneChoice() {
        for (int option = 0; option < 78; option++) {
            assertThat(Choice.turn(option).option()).isEqualTo(option);
        }
        assertThat(Choice.turn(27)).isEqualTo(new Choice.Turn(1, Optional.of(Fault.CRASH)));
    }
}
