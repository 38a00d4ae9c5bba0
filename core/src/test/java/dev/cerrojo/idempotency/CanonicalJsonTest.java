package dev.cerrojo.idempotency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {
    /** The example of RFC 8785, section 3.2.2, but for its number of 17 digits. */
    @Test
    void isTheFormOfTheRfc() {
        assertThat(CanonicalJson.of("""
                        {
                          "numbers": [333333333.333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                          "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                          "literals": [null, true, false]
                        }"""))
                .isEqualTo("{\"literals\":[null,true,false],"
                        + "\"numbers\":[333333333.333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    /** The example of RFC 8785, section 3.2.3. */
    @Test
    void membersAreSortedByTheirUtf16() {
        assertThat(CanonicalJson.of("""
                        {"\\u20ac": 1, "\\r": 2, "\\ufb33": 3, "1": 4, "\\ud83d\\ude00": 5, "\\u0080": 6, "\\u00f6": 7}"""))
                .isEqualTo("{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "0.0e5, 0",
        "10, 10",
        "1.50, 1.5",
        "-1.5e0, -1.5",
        "1e20, 100000000000000000000",
        "1e21, 1e+21",
        "1.25e21, 1.25e+21",
        "0.000001, 0.000001",
        "0.0000001, 1e-7",
        "1.5e-7, 1.5e-7",
        "9007199254740992, 9007199254740992",
        "1e307, 1e+307",
        "123456789.012345, 123456789.012345"
    })
    void numbersAreWrittenAsEcmaScriptDoes(String number, String canonical) {
        assertThat(CanonicalJson.of(number)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678901234567890",
                "9007199254740993",
                "0.1234567890123456789",
                "1e400",
                "1e-400",
                "1e99999999999",
                "[1, 2, 333333333.33333329]"
            })
    void numbersThatADoubleDoesNotHoldAreRefused(String json) {
        assertThatThrownBy(() -> CanonicalJson.of(json))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageContaining("cannot be represented exactly");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\" 1}",
                "01",
                "1.",
                ".5",
                "+1",
                "tru",
                "nul",
                "\"\t\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u12",
                "1 2",
                "{\"a\":1,\"a\":2}",
                "\"\\ud83d\"",
                "\"\\ude00\\ud83d\"",
                "{'a':1}",
                "NaN",
                "[1 2]",
                "{a:1}",
                "\"",
                "-"
            })
    void whatIsNoJsonIsRefused(String text) {
        assertThatThrownBy(() -> CanonicalJson.of(text)).isInstanceOf(InvalidJsonException.class);
    }

    @Test
    void aStackOfBracketsIsRefused() {
        assertThatThrownBy(() -> CanonicalJson.of("[".repeat(100_000)))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageContaining("500 deep");
    }

    /** What is written is read as the same double again, and is the same text when it is made canonical once more. */
    @Test
    void eachNumberThatIsWrittenIsItsDouble() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            String number = "%d.%de%d"
                    .formatted(random.nextInt(-999, 1000), random.nextInt(100_000_000), random.nextInt(-300, 300));
            String canonical = CanonicalJson.of(number.replace("-0.", "0."));
            assertThat(Double.parseDouble(canonical))
                    .as("%s, seed %d", number, seed)
                    .isEqualTo(Double.parseDouble(number.replace("-0.", "0.")));
            assertThat(CanonicalJson.of(canonical)).as("seed %d", seed).isEqualTo(canonical);
        }
    }

    @Test
    void theSameValueHasTheSameHash() {
        assertThat(RequestHash.ofCanonicalJson("{\"b\": 1.0, \"a\": \"\\u0041\"}"))
                .isEqualTo(RequestHash.ofCanonicalJson("{\"a\":\"A\",\"b\":1}"))
                .isNotEqualTo(RequestHash.ofCanonicalJson("{\"a\":\"A\",\"b\":2}"))
                .hasToString(RequestHash.ofText("{\"a\":\"A\",\"b\":1}").toString());
    }
}
