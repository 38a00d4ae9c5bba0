package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files that were changed at random: whatever they say, they are read or refused with a place, and nothing else. */
class ScenarioMutationTest {
    private static final List<String> PIECES = List.of(
            "'",
            "\"",
            ":",
            ": ",
            "\n",
            "  ",
            "-",
            "[",
            "]",
            "{",
            "}",
            "&a ",
            "*a",
            "|",
            "#",
            " #",
            "$$",
            "--",
            "/*",
            "(",
            ")",
            ",",
            ";",
            "~",
            "null",
            "0",
            "1e9",
            "true",
            "!!int ",
            "? ",
            "<<: ",
            "\t",
            "é",
            "\u0001",
            ":x",
            "where ",
            "SELECT ",
            "COMMIT",
            "global",
            "99999999999999999999");

    @Test
    void everyFileIsReadOrRefused() {
        long seed = Long.getLong("cerrojo.seed", System.nanoTime());
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < 1_500; i++) {
            String yaml = mutated(random, i % 2 == 0 ? ScenarioProblemsTest.VALID : ScenarioReaderTest.ON_CALL);
            try {
                ScenarioReader.read("x", yaml);
            } catch (ScenarioException e) {
                refused++;
                assertThat(e.problems()).isNotEmpty();
                assertThat(e.getMessage()).startsWith("x:");
            } catch (RuntimeException | StackOverflowError e) {
                fail("cerrojo.seed=" + seed + ", file " + i + ":\n" + yaml, e);
            }
        }
        assertThat(refused).as("cerrojo.seed=" + seed).isGreaterThan(500);
    }

    private static String mutated(Random random, String yaml) {
        StringBuilder text = new StringBuilder(yaml);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + random.nextInt(8));
            String piece = random.nextInt(4) == 0 ? "" : PIECES.get(random.nextInt(PIECES.size()));
            text.replace(at, random.nextBoolean() ? at : end, piece);
        }
        return text.toString();
    }
}
