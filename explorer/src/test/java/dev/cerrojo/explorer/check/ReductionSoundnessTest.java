package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Corpus;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.tx.Isolation;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The reduced search loses no ending, on every scenario that is small enough to be explored to its end. What sessions read
 * counts too, so that an order that was left out shows even where it makes no other difference.
 *
 * <p>{@code -Dcerrojo.reduction.schedules=5000} compares larger ones; it takes an hour.
 */
class ReductionSoundnessTest {
    /** With more schedules than this, as far as statements can be counted, a case is left out. */
    private static final long SCHEDULES = Long.getLong("cerrojo.reduction.schedules", 24);

    private static final Bounds BOUNDS = new Bounds(10_000, Duration.ofMinutes(5));
    private static final LastArena ARENA = new LastArena();

    @AfterAll
    static void close() throws SQLException {
        ARENA.close();
    }

    static Stream<Case> cases() {
        Set<Object> seen = new HashSet<>();
        return Stream.of(Corpus.facts(), Corpus.examples(), Corpus.reductions(), corpus())
                .flatMap(files -> files)
                .flatMap(Case::of)
                .filter(one -> one.mostSchedules() <= SCHEDULES)
                .filter(one -> seen.add(one.atOneLevel()));
    }

    private static Stream<Path> corpus() {
        return Corpus.isThere() ? Corpus.files() : Stream.of();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void findsTheSameEndings(Case one) throws SQLException {
        ReductionCheck check =
                new ReductionCheck(TestServer.shared(), BOUNDS, Arena.Fingerprints.ROWS_AND_READS, Progress.SILENT);

        List<SearchComparison> comparisons = check.check(ARENA.of(one.scenario()), one.scenario());

        assertThat(comparisons)
                .allSatisfy(comparison ->
                        assertThat(comparison.result()).as("%s", comparison).isEqualTo(SearchComparison.Result.EQUAL));
    }

    /** The statements of sessions that have nothing in common are not put in every order. */
    @ParameterizedTest
    @CsvSource({
        "two-bookers-one-apart.yaml,  READ_COMMITTED,  1680, 20",
        "three-bookers-advisory.yaml, READ_COMMITTED,   132, 80",
        "receipt-report.yaml,         REPEATABLE_READ,  210, 20"
    })
    void leavesOutMostSchedules(String file, Isolation level, long all, long most) throws SQLException {
        Scenario scenario = ScenarioReader.read(Path.of("src/test/resources/reduction", file));
        Scenario leveled = at(level, scenario);

        SearchComparison comparison = new SearchComparison(
                1, level.sql(), explore(leveled, Search.Mode.EXHAUSTIVE), explore(leveled, Search.Mode.REDUCED));

        assertThat(comparison.result()).as("%s", comparison).isEqualTo(SearchComparison.Result.EQUAL);
        assertThat(comparison.exhaustive().schedules()).isEqualTo(all);
        assertThat(comparison.reduced().schedules()).isLessThanOrEqualTo(most);
    }

    /** Each run begins in a database of its own then, where relations have other numbers. */
    @Test
    void searchEndsWhenStepsMakeTables() throws SQLException {
        Scenario scenario = ScenarioReader.read(Path.of("src/test/resources/reduction/create-if-not-exists.yaml"));

        Exploration found = explore(scenario, Search.Mode.REDUCED);

        assertThat(found.exhausted()).isTrue();
        assertThat(found.reduced()).isFalse();
        assertThat(found.schedules()).isEqualTo(6);
    }

    private static Exploration explore(Scenario scenario, Search.Mode mode) throws SQLException {
        return new Search(
                        ARENA.of(scenario).subject(scenario, scenario.runs().get(0)),
                        BOUNDS,
                        Goal.EVERY_SCHEDULE,
                        mode,
                        Progress.SILENT)
                .run();
    }

    private static Scenario at(Isolation level, Scenario scenario) {
        Map<String, TransactionSpec> transactions = new LinkedHashMap<>();
        scenario.transactions().forEach((name, spec) -> transactions.put(name, spec.withIsolation(level)));
        return scenario.withTransactions(transactions);
    }

    /** A file as it stands, or one of its repairs. */
    record Case(String name, Scenario scenario) {
        static Stream<Case> of(Path file) {
            Scenario scenario = ScenarioReader.read(file);
            return Stream.concat(
                    Stream.of(new Case(file.getFileName().toString(), scenario)),
                    scenario.repairs().stream()
                            .map(repair -> new Case(file.getFileName() + ": " + repair.name(), repair.repaired())));
        }

        /** {@return what the check makes of it: repairs that differ in their level are compared at all of them} */
        Object atOneLevel() {
            boolean mixed = scenario.transactions().values().stream()
                            .map(TransactionSpec::isolation)
                            .distinct()
                            .count()
                    > 1;
            Scenario level = mixed ? scenario : at(Isolation.READ_COMMITTED, scenario);
            return List.of(level.setup(), level.transactions(), level.runs(), level.invariants());
        }

        /** {@return in how many orders the steps of its largest run can come, when none of them waits or fails} */
        long mostSchedules() {
            return scenario.runs().stream().mapToLong(this::schedules).max().orElse(0);
        }

        private long schedules(Run run) {
            long orders = 1;
            int before = 0;
            for (int i = 0; i < run.sessions().size(); i++) {
                int steps = run.sessions().get(i).calls().stream()
                        .mapToInt(call -> steps(scenario.transactions().get(call.transaction())))
                        .sum();
                for (int step = 1; step <= steps; step++) {
                    orders = orders * ++before / step;
                }
            }
            return orders;
        }

        private static int steps(TransactionSpec transaction) {
            int statements = transaction.steps().size();
            return transaction.atomic() ? statements + 1 : 2 * statements;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
