package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.scenario.Corpus;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Races that real applications suffered, as far as a folder of them is there. */
class CorpusTest {
    private static final LastArena ARENA = new LastArena();

    /** Where there is none, the class is reported as skipped, with the reason. */
    @BeforeAll
    static void corpusIsThere() {
        assertThat(Corpus.files()).isNotEmpty();
    }

    @AfterAll
    static void close() throws SQLException {
        ARENA.close();
    }

    static Stream<ExpectedVerdict> cases() {
        return Corpus.files().flatMap(ExpectedVerdict::of);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOut(ExpectedVerdict expected) throws SQLException {
        expected.verify(ARENA);
    }
}
