package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.report.Style.Tone;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhraseTest {
    private static List<String> wrapped(String text, int columns, int hanging) {
        return Phrase.of(text).wrapped(columns, hanging).stream()
                .map(Phrase::text)
                .toList();
    }

    @Test
    void breaksAtBlanks() {
        assertThat(wrapped("SELECT a, b FROM t", 10, 0)).containsExactly("SELECT a,", "b FROM t");
    }

    @Test
    void breaksAWordThatIsTooLong() {
        assertThat(wrapped("abcdefghijkl", 5, 0)).containsExactly("abcde", "fghij", "kl");
    }

    @Test
    void breaksAWordRatherThanLeaveALineNearlyEmpty() {
        assertThat(wrapped("a bcdefghijklmnop", 10, 0)).containsExactly("a bcdefghi", "jklmnop");
    }

    @Test
    void keepsLineFeedsAndIndentsWhatItBreaks() {
        assertThat(wrapped("SELECT 1\n  FROM t WHERE x", 10, 2))
                .containsExactly("SELECT 1", "  FROM t", "    WHERE", "    x");
    }

    @Test
    void keepsBlankLinesAndGivesAtLeastOneLine() {
        assertThat(wrapped("a\n\nb", 10, 2)).containsExactly("a", "", "b");
        assertThat(wrapped("", 10, 2)).containsExactly("");
    }

    @Test
    void neverSplitsACharacter() {
        assertThat(wrapped("😀😀😀", 3, 0)).containsExactly("😀", "😀", "😀");
        assertThat(wrapped("日本", 1, 0)).hasSize(2);
    }

    @Test
    void tonesStayOnTheirTextAcrossLines() {
        Phrase phrase = Phrase.of(Tone.STRONG, "one two ").and("three ").and(Tone.BAD, "four");

        assertThat(phrase.wrapped(8, 0).stream().map(line -> line.draw(Style.ANSI)))
                .containsExactly("\u001b[1mone two\u001b[0m", "three", "\u001b[1;31mfour\u001b[0m");
    }

    @Test
    void countsColumnsAndNotCharacters() {
        assertThat(Phrase.of("日本").width()).isEqualTo(4);
        assertThat(Phrase.of("e\u0301").width()).isEqualTo(1);
        assertThat(Phrase.of("日").padded(4).text()).isEqualTo("日  ");
    }
}
