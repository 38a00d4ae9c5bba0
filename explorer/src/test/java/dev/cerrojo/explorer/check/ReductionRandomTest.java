package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The reduced search loses no ending on scenarios that nobody thought of. {@code -Dcerrojo.random.from=1000
 * -Dcerrojo.random.to=2000} tries other seeds.
 */
class ReductionRandomTest {
    private static final long FROM = Long.getLong("cerrojo.random.from", 1);
    private static final long TO = Long.getLong("cerrojo.random.to", 25);

    /** A search that was cut off still shows what the other one lost. */
    private static final Bounds BOUNDS =
            new Bounds(Long.getLong("cerrojo.random.schedules", 80), Duration.ofMinutes(1));

    private static final LastArena ARENA = new LastArena();

    @AfterAll
    static void close() throws SQLException {
        ARENA.close();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(FROM, TO);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void findsTheSameEndings(long seed) throws SQLException {
        Scenario scenario = RandomScenario.of(seed);
        Subject subject = ARENA.of(scenario)
                .subject(
                        scenario,
                        scenario.runs().get(0),
                        Arena.Fingerprints.ROWS_AND_READS,
                        Arena.Comparison.SERIAL_ORDERS);
        assumeThat(subject.isReducible()).as("seed %d can be reduced", seed).isTrue();

        SearchComparison comparison = new SearchComparison(
                1, "as declared", explore(subject, Search.Mode.EXHAUSTIVE), explore(subject, Search.Mode.REDUCED));

        assertThat(comparison.result())
                .as("seed %d%n%s%n%s", seed, RandomScenario.yaml(seed), comparison)
                .isNotEqualTo(SearchComparison.Result.DIFFERENT);
        assertThat(comparison.exhaustive().reason().orElse("stopped"))
                .as("seed %d%n%s%n%s", seed, RandomScenario.yaml(seed), comparison)
                .startsWith("stopped");
    }

    private static Exploration explore(Subject subject, Search.Mode mode) {
        return new Search(subject, BOUNDS, Goal.EVERY_SCHEDULE, mode, Progress.SILENT).run();
    }
}
