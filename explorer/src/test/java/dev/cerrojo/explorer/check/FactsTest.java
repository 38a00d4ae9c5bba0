package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.scenario.Corpus;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is known of PostgreSQL: each fact in a form that holds and in one that does not. */
class FactsTest {
    private static final LastArena ARENA = new LastArena();

    @AfterAll
    static void close() throws SQLException {
        ARENA.close();
    }

    static Stream<ExpectedVerdict> cases() {
        return Corpus.facts().flatMap(ExpectedVerdict::of);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void comesOut(ExpectedVerdict expected) throws SQLException {
        expected.verify(ARENA);
    }
}
