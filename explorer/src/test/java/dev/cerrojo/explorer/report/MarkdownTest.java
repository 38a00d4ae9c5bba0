package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader sees what stood in the file, whatever that was. */
class MarkdownTest {
    private static final String ALPHABET = "`|\\<>&*_~[]()#!@$^+-=.:;'\"{}/ 1a:w";
    private static final int TRIALS = 500;

    private static void isSeenAsItIs(String hostile) {
        String plain = Printable.of(hostile.strip());
        Parsed paragraph = Parsed.of("Begin.\n\n" + Markdown.text(hostile) + "\n");
        assertThat(paragraph.seen()).as(hostile).isEqualTo(("Begin.\n" + plain).strip());
        assertThat(paragraph.foreignMarkup()).as(hostile).isEmpty();

        Parsed table = Parsed.of(new MarkdownPage()
                .table(List.of("a", "b", "c"), List.of(List.of(Markdown.text(hostile), Markdown.code(hostile), "end")))
                .toString());
        String line = Printable.of(hostile.strip().replaceAll("\\s+", " "));
        assertThat(table.tables()).as(hostile).containsExactly(List.of(3));
        assertThat(table.foreignMarkup()).as(hostile).isEmpty();
        assertThat(table.cells()).as(hostile).containsExactly("a", "b", "c", plain, line, "end");

        Parsed block = Parsed.of(Markdown.block("sql", hostile) + "\nafter\n");
        assertThat(block.seen()).as(hostile).endsWith("after");
        assertThat(block.seen()).as(hostile).startsWith(Printable.lines(hostile).strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a || b FROM t -- `x` | y \\| z",
                "```\n</code></pre><script>alert(1)</script>\n```",
                "~~~",
                "# no heading",
                "- no item",
                "12. no item",
                "1) no item",
                "> no quotation",
                "***",
                "===",
                "+ no item",
                "[no](http://link) ![no](image) <http://no.link> www.no.link https://no.link",
                "*no* _no_ __no__ ~~no~~ $no$ on_call_coverage &amp; &#124;",
                "@nobody #1 <!-- comment -->",
                "<br>",
                "a\\",
                "\\|",
                "`",
                "``",
                "|",
                "||\\||",
                "'\u202e'",
                "-",
                "="
            })
    void ofWhatCouldBeMarkup(String hostile) {
        isSeenAsItIs(hostile);
    }

    @Test
    void ofWhatChanceMakes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int trial = 0; trial < TRIALS; trial++) {
            StringBuilder hostile = new StringBuilder("x");
            for (int i = random.nextInt(12); i >= 0; i--) {
                hostile.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            String text = random.nextBoolean() ? hostile.substring(1) : hostile.toString();
            if (!text.isBlank()) {
                assertThat(text).as("seed " + seed).satisfies(MarkdownTest::isSeenAsItIs);
            }
        }
    }

    @Test
    void whatIsHarmlessStaysReadable() {
        assertThat(Markdown.text("PostgreSQL 17.11 keeps on_call, +1")).isEqualTo("PostgreSQL 17.11 keeps on_call, +1");
        assertThat(Markdown.code("SELECT 1\n  FROM t")).isEqualTo("`SELECT 1 FROM t`");
    }
}
