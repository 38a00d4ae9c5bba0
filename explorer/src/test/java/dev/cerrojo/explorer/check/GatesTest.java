package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.Arena;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that stop inside of their statements and COMMITs. */
class GatesTest {
    private static Scenario scenario(String name) {
        return ScenarioReader.read(Path.of("src/test/resources/gates", name + ".yaml"));
    }

    private static Exploration explore(Scenario scenario, Arena.Gates gates, Search.Mode mode) throws SQLException {
        try (Arena arena = Arena.open(TestServer.shared(), scenario, gates)) {
            Run run = scenario.runs().get(0);
            return new Search(arena.subject(scenario, run), Bounds.none(), Goal.EVERY_SCHEDULE, mode, Progress.SILENT)
                    .run();
        }
    }

    /** The control of all that follows: without gates, no order shows it. */
    @ParameterizedTest
    @EnumSource(Search.Mode.class)
    void noOrderOfStatementsShowsWhatHappensInsideOfOne(Search.Mode mode) throws SQLException {
        Exploration between = explore(scenario("only-gates-find-it"), Arena.Gates.OFF, mode);

        assertThat(between.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest
    @EnumSource(Search.Mode.class)
    void gatesShowWhatHappensInsideOfAStatement(Search.Mode mode) throws SQLException {
        Exploration inside = explore(scenario("only-gates-find-it"), Arena.Gates.ON, mode);

        assertThat(inside.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(inside.violating()).isLessThan(inside.schedules());
    }

    /** COMMIT is one step here: only a gate inside of it can show that two of them overlap. */
    @ParameterizedTest
    @ValueSource(strings = {"insert-where-not-exists", "deferred-count"})
    void gatesShowWhatShippedFixesMissed(String name) throws SQLException {
        Exploration inside = explore(scenario(name), Arena.Gates.ON, Search.Mode.REDUCED);

        assertThat(inside.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void aViolationInsideIsConfirmedByRunningFreely() throws SQLException {
        Scenario scenario = scenario("insert-where-not-exists");
        try (Arena free = Arena.open(TestServer.shared(), scenario)) {
            GatedPass pass = new Checker(TestServer.shared(), Bounds.none(), Search.Mode.REDUCED, Progress.SILENT)
                    .checkInside(scenario, free);

            assertThat(pass.trials()).isPositive();
            assertThat(pass.violations()).isPositive().isLessThanOrEqualTo(pass.trials());
            assertThat(pass.verdict()).isEqualTo(Verdict.VIOLATED);
            assertThat(pass.isComplete()).isFalse();
        }
    }

    @Test
    void withoutAConfirmationItIsInconclusive() throws SQLException {
        Scenario scenario = scenario("only-gates-find-it");
        CheckResult violated;
        try (Arena gated = Arena.open(TestServer.shared(), scenario, Arena.Gates.ON)) {
            violated = new Checker(TestServer.shared(), Bounds.none(), Search.Mode.REDUCED, Progress.SILENT)
                    .check(gated, scenario, Goal.FIRST_VIOLATION);
        }

        assertThat(new GatedPass(violated, 200, 0).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(new GatedPass(violated, 200, 1).verdict()).isEqualTo(Verdict.VIOLATED);
    }
}
