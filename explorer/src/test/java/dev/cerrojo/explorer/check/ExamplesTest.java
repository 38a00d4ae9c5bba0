package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.scenario.Corpus;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples give what they say. */
class ExamplesTest {
    private static final LastArena ARENA = new LastArena();

    @AfterAll
    static void close() throws SQLException {
        ARENA.close();
    }

    static Stream<ExpectedVerdict> cases() {
        return Corpus.examples().flatMap(ExpectedVerdict::of);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOut(ExpectedVerdict expected) throws SQLException {
        expected.verify(ARENA);
    }
}
