package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateTest {
    @Test
    void whatIsFilledInIsNeverReadAsAPlace() {
        assertThat(new Template("{a} {b}").fill(Map.of("a", "{b} $1 \\", "b", "x")))
                .isEqualTo("{b} $1 \\ x");
    }

    @Test
    void valueOfSeveralLinesIsIndentedExceptInsideItsQuotes() {
        String filled = new Template("FROM (\n  {query}\n) AS {query}").fill(Map.of("query", "SELECT 'a\nb',\n1"));

        assertThat(filled).isEqualTo("FROM (\n  SELECT 'a\nb',\n  1\n) AS SELECT 'a\nb',\n1");
    }

    @Test
    void lineOfAPlaceThatIsFilledWithNothingIsLeftOut() {
        assertThat(new Template("a\n  {b}\nc {b}").fill(Map.of("b", ""))).isEqualTo("a\nc ");
    }

    @Test
    void placeWithoutValueIsAnError() {
        assertThatThrownBy(() -> new Template("{a}").fill(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no value for {a}");
    }
}
