package dev.cerrojo.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void everyKindOfValueIsRead() {
        assertThat(Json.read(" {\"a\" : [1, -2.5e+3 ,\"x\", true,null, {}, []], \"b\":{\"c\":\"\"} }\n"))
                .isEqualTo(Map.of(
                        "a", List.of("1", "-2.5e+3", "x", "true", "", Map.of(), List.of()), "b", Map.of("c", "")));
    }

    @Test
    void numbersOf64BitsAreExact() {
        assertThat(Answer.read("{\"n\":9223372036854775807,\"t\":\"-9223372036854775808\"}"))
                .returns(Long.MAX_VALUE, answer -> answer.number("n"))
                .returns(Long.MIN_VALUE, answer -> answer.number("t"));
    }

    @Test
    void escapesAreRead() {
        assertThat(Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uD83D\\uDE00ä\""))
                .isEqualTo("\"\\/\b\f\n\r\tä😀ä");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "}",
                "[1,]",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "[1 2]",
                "\"",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u12",
                "tru",
                "01",
                "1.",
                "-",
                "nulll",
                "{} {}",
                "\"\t\"",
                "'a'",
                "[",
                "NaN"
            })
    void whatIsNoJsonIsRefused(String text) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JSON must have");
    }

    @Test
    void whatIsTooDeepIsRefused() {
        assertThat(Json.read("[".repeat(64) + "]".repeat(64))).isInstanceOf(List.class);
        assertThatThrownBy(() -> Json.read("[".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 64 levels");
    }

    @Test
    void whatIsLeftOutIsEmpty() {
        Answer answer = Answer.read("{}");
        assertThat(answer.number("n")).isZero();
        assertThat(answer.truth("b")).isFalse();
        assertThat(answer.text("t")).isEmpty();
        assertThat(answer.objects("list")).isEmpty();
        assertThat(answer.object("o").number("n")).isZero();
    }
}
