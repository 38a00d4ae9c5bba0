package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '\0',
            value = {
                "shift;shift",
                "Shift;shift",
                "\"Shift\";\"Shift\"",
                "\"shift\";shift",
                "user;\"user\"",
                "app.on_call;app.on_call",
                "\"My App\".\"On.Call\";\"My App\".\"On.Call\"",
                " app . on_call ;app.on_call",
                "\"a\"\"b\";\"a\"\"b\"",
                "año;\"año\"",
                "ÉQUIPE;\"Équipe\""
            })
    void readsNamesAsPostgresDoes(String text, String sql) {
        assertThat(SqlName.parse(text).orElseThrow().sql()).isEqualTo(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1st",
                "a b",
                "a.b.c",
                "a.",
                ".a",
                "a..b",
                "shift; DROP TABLE x",
                "\"open",
                "\"\"",
                "a\"b\"",
                "lower(a)",
                "a--b",
                "a/**/"
            })
    void refusesAnythingElse(String text) {
        assertThat(SqlName.parse(text)).isEmpty();
    }

    @Test
    void isQualifiedOnlyWhenItIsNotYet() {
        assertThat(SqlName.parse("shift").orElseThrow().in("app").sql()).isEqualTo("app.shift");
        assertThat(SqlName.parse("x.shift").orElseThrow().in("app").sql()).isEqualTo("x.shift");
    }
}
