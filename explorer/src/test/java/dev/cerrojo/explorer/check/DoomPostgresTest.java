package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Goal;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From when on a schedule is lost. */
class DoomPostgresTest {
    private static Scenario counter(String read, String write) {
        return ScenarioReader.read("counter.yaml", """
                setup: |
                  CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL);
                  INSERT INTO counter VALUES (1, 0);
                transactions:
                  count:
                    steps:
                      - read: %s
                      - write: %s
                run: [count(), count()]
                invariant:
                  name: both_count
                  scope: counter(id)
                  violated_by: SELECT id FROM counter WHERE n < 2
                  watches: [counter(id)]
                """.formatted(read, write));
    }

    private static Optional<Doom> doom(Scenario scenario) throws SQLException {
        Checker checker = new Checker(TestServer.shared(), Bounds.none(), Search.Mode.REDUCED, Progress.SILENT);
        CheckResult result = checker.check(scenario, Goal.EVERY_SCHEDULE);
        RunResult.Witness witness =
                result.shortestWitness().orElseThrow().witness().orElseThrow();
        return checker.doom(scenario, witness);
    }

    @Test
    void aLostUpdateIsLostWhenBothHaveRead() throws SQLException {
        Scenario scenario = counter("SELECT n FROM counter WHERE id = 1", "UPDATE counter SET n = :n + 1 WHERE id = 1");

        Doom doom = doom(scenario).orElseThrow();

        // A reads, A writes, B reads what is not yet committed: AAB; or A reads, B reads: AB
        assertThat(doom.after()).isBetween(2, 3);
        assertThat(doom.ways()).isGreaterThan(1);
    }

    @Test
    void whatIsWrongInEveryOrderIsLostFromTheStart() throws SQLException {
        Scenario scenario = counter("SELECT n FROM counter WHERE id = 1", "UPDATE counter SET n = 0 WHERE id = 1");

        assertThat(doom(scenario).orElseThrow().after()).isZero();
    }
}
