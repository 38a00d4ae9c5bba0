package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.Arena;
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

/** What PostgreSQL chooses when one COMMIT lets several sessions go on. */
class WakeUpOrderTest {
    private static Exploration explore(String file) throws SQLException {
        Scenario scenario = ScenarioReader.read(Path.of("src/test/resources", file));
        try (Arena arena = Arena.open(TestServer.shared(), scenario)) {
            return new Search(
                            arena.subject(scenario, scenario.runs().get(0)),
                            Bounds.none(),
                            Goal.EVERY_SCHEDULE,
                            Search.Mode.REDUCED,
                            Progress.SILENT)
                    .run();
        }
    }

    /** The order that was not tried may violate: never called holds. */
    @Test
    void twoThatWakeAndMeetAgainLeaveItInconclusive() throws SQLException {
        Exploration exploration = explore("search/wake-up-order.yaml");

        assertThat(exploration.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(exploration.reason().orElseThrow()).contains("which of them came first was PostgreSQL's choice");
    }

    /** A queue for one lock is served in its order: nothing is left to chance. */
    @Test
    void aQueueIsNoChoice() throws SQLException {
        Exploration exploration = explore("reduction/three-bookers-advisory.yaml");

        assertThat(exploration.verdict()).isEqualTo(Verdict.HOLDS);
    }
}
