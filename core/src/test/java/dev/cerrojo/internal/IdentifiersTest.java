package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class IdentifiersTest {
    @Test
    void quotesOnlyWhatNeedsIt() {
        assertThat(Identifiers.quote("on_call")).isEqualTo("on_call");
        assertThat(Identifiers.quote("user")).isEqualTo("\"user\"");
        assertThat(Identifiers.quote("OnCall")).isEqualTo("\"OnCall\"");
        assertThat(Identifiers.quote("say \"hi\"")).isEqualTo("\"say \"\"hi\"\"\"");
        assertThat(Identifiers.quote("1st")).isEqualTo("\"1st\"");
    }

    @Test
    void literalsKeepQuotesAndBackslashes() {
        assertThat(Identifiers.quoteLiteral("it's")).isEqualTo("'it''s'");
        assertThat(Identifiers.quoteLiteral("a\\b'c")).isEqualTo("E'a\\\\b''c'");
    }

    @Test
    void dollarQuotesAvoidTheTextsOwnTag() {
        assertThat(Identifiers.dollarQuote("x")).isEqualTo("$cerrojo$x$cerrojo$");
        assertThat(Identifiers.dollarQuote("a $cerrojo$ b")).isEqualTo("$cerrojo1$a $cerrojo$ b$cerrojo1$");
    }

    @Test
    void longNamesEndWithAHashOfTheWholeName() {
        String fits = "n".repeat(63);
        String one = Identifiers.bounded("n".repeat(64));
        String other = Identifiers.bounded("n".repeat(65));

        assertThat(Identifiers.bounded(fits)).isEqualTo(fits);
        assertThat(one).hasSize(63).startsWith("nnnn").isNotEqualTo(other);
        assertThat(Identifiers.bounded("n".repeat(64))).isEqualTo(one);
    }

    @Test
    void longNamesAreMeasuredInBytesAndCutBetweenCharacters() {
        for (String character : new String[] {"ñ", "疑", "🔒"}) {
            for (int padding = 0; padding < 4; padding++) {
                String bounded = Identifiers.bounded("x".repeat(padding) + character.repeat(40));

                assertThat(bounded.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(63);
                assertThat(bounded).matches("x*(" + character + ")+_[0-9a-f]{8}");
            }
        }
    }
}
