package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.LastArena;
import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * What a file expects: of itself, or of one of its repairs.
 *
 * @param name file and repair
 * @param scenario what is checked
 * @param expectation what must be found
 */
record ExpectedVerdict(String name, Scenario scenario, Expectation expectation) {
    private static final Bounds BOUNDS = new Bounds(1_000_000, Duration.ofMinutes(3));

    static Stream<ExpectedVerdict> of(Path file) {
        Scenario scenario = ScenarioReader.read(file);
        return Stream.concat(
                scenario.expect().stream().map(expected -> new ExpectedVerdict(nameOf(file), scenario, expected)),
                scenario.repairs().stream()
                        .filter(repair -> repair.expect().isPresent())
                        .map(repair -> new ExpectedVerdict(
                                nameOf(file) + ": " + repair.name(),
                                repair.repaired(),
                                repair.expect().orElseThrow())));
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString().replace(".yaml", "");
    }

    void verify(LastArena arena) throws SQLException {
        Checker checker = new Checker(TestServer.shared(), BOUNDS, Search.Mode.REDUCED, Progress.SILENT);

        CheckResult result = checker.check(arena.of(scenario), scenario, Judgement.goal(expectation));

        assertThat(Judgement.of(expectation, result))
                .as(
                        "%s is expected, and %s was found: %d of %d schedules violate, %d deadlock, %d commit %s",
                        expectation.word(),
                        result.verdict().word(),
                        result.violating(),
                        result.schedules(),
                        result.deadlocking(),
                        result.committing(),
                        result.reasons())
                .isEqualTo(Judgement.MET);
    }

    @Override
    public String toString() {
        return name;
    }
}
