package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.scenario.Corpus;
import dev.cerrojo.explorer.scenario.Expectation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each common mistake breaks its invariant, and its cure does not. */
class MistakesTest {
    private static final LastArena ARENA = new LastArena();

    @AfterAll
    static void close() throws SQLException {
        ARENA.close();
    }

    static Stream<ExpectedVerdict> cases() {
        return Corpus.mistakes().flatMap(ExpectedVerdict::of);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOut(ExpectedVerdict expected) throws SQLException {
        expected.verify(ARENA);
    }

    @Test
    void eachIsViolatedAndHasACure() {
        assertThat(Corpus.mistakes()).hasSize(9).allSatisfy(file -> {
            List<ExpectedVerdict> verdicts = ExpectedVerdict.of(file).toList();
            assertThat(verdicts.get(0).expectation()).isEqualTo(Expectation.VIOLATED);
            assertThat(verdicts)
                    .filteredOn(verdict -> verdict.name().endsWith(": cure"))
                    .singleElement()
                    .satisfies(cure ->
                            assertThat(cure.expectation()).isIn(Expectation.HOLDS, Expectation.HOLDS_NO_DEADLOCK));
        });
    }

    @Test
    void thePageShowsThem() throws IOException {
        String page = Files.readString(Corpus.root().resolve("docs/guide/mistakes.md"));

        assertThat(Corpus.mistakes()).allSatisfy(file -> assertThat(page).contains(steps(file)));
    }

    /** What the page shows of a file: all but its title and what is for readers of the file alone. */
    private static String steps(Path file) throws IOException {
        String text = Files.readString(file);
        return text.substring(text.indexOf("setup: |"), text.indexOf("\nexpect: violated"));
    }
}
