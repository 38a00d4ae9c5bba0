package dev.cerrojo.explorer.tests.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.cerrojo.explorer.jdbc.InterleavingFailure;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingExtension;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.junit.InterleavingTest.WhenInconclusive;
import dev.cerrojo.explorer.junit.Replay;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.testsupport.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.FileEntry;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class ExtensionTest {
    @TempDir
    private Path output;

    /** Run by the tests below, not by itself. */
    static class Races {
        private final TestDatabase database = TestDatabase.create();
        private final DataSource dataSource = database.dataSource();

        @BeforeEach
        void counter() throws SQLException {
            execute(dataSource, "CREATE TABLE counter (n int NOT NULL); INSERT INTO counter VALUES (0)");
        }

        @AfterEach
        void close() {
            database.close();
        }

        private static void add(DataSource dataSource) throws SQLException {
            try (Connection connection = dataSource.getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setAutoCommit(false);
                int n;
                try (ResultSet row = sql.executeQuery("SELECT n FROM counter")) {
                    row.next();
                    n = row.getInt(1);
                }
                sql.executeUpdate("UPDATE counter SET n = " + (n + 1));
                connection.commit();
            }
        }

        private static void addAtOnce(DataSource dataSource) throws SQLException {
            execute(dataSource, "UPDATE counter SET n = n + 1");
        }

        private static void execute(DataSource dataSource, String sql) throws SQLException {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        private Interleavings lost(Interleavings race) {
            DataSource gated = race.over(dataSource).dataSource();
            return race.session("one adds", () -> add(gated))
                    .session("another adds", () -> add(gated))
                    .holds("SELECT n FROM counter WHERE n <> 2");
        }

        @InterleavingTest
        void violated(Interleavings race) {
            lost(race);
        }

        @InterleavingTest
        void holds(Interleavings race) {
            DataSource gated = race.over(dataSource).dataSource();
            race.session("one adds", () -> addAtOnce(gated))
                    .session("another adds", () -> addAtOnce(gated))
                    .holds("SELECT n FROM counter WHERE n <> 2");
        }

        @InterleavingTest
        @Replay("AAABBB")
        void replayed(Interleavings race) {
            lost(race);
        }

        @InterleavingTest
        @Replay("AAABBC")
        void replayedFromElsewhere(Interleavings race) {
            lost(race);
        }

        @InterleavingTest(maxSchedules = 2, mode = Search.Mode.EXHAUSTIVE)
        void bounded(Interleavings race) {
            holds(race);
        }

        @InterleavingTest(maxSchedules = 2, mode = Search.Mode.EXHAUSTIVE, whenInconclusive = WhenInconclusive.ABORT)
        void boundedAndAborted(Interleavings race) {
            holds(race);
        }

        @InterleavingTest
        void incomplete(Interleavings race) {
            race.over(dataSource);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        @ExtendWith(InterleavingExtension.class)
        void parameterized(int sessions, Interleavings race) {
            DataSource gated = race.over(dataSource).dataSource();
            for (int i = 0; i < sessions; i++) {
                race.session("adds " + i, () -> addAtOnce(gated));
            }
            race.holds("SELECT n FROM counter WHERE n <> " + sessions);
        }
    }

    /** One folder for all. */
    private record Output(Path folder) implements OutputDirectoryCreator {
        @Override
        public Path getRootDirectory() {
            return folder;
        }

        @Override
        public Path createOutputDirectory(TestDescriptor test) {
            return folder;
        }
    }

    private EngineTestKit.Builder kit(String method, Class<?>... parameters) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Races.class, method, parameters))
                .outputDirectoryCreator(new Output(output))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false");
    }

    private EngineExecutionResults run(String method) {
        return kit(method, Interleavings.class).execute();
    }

    private static Throwable failure(EngineExecutionResults results) {
        return results.testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .flatMap(result -> result.getThrowable().stream())
                .findFirst()
                .orElseThrow();
    }

    private static List<String> entries(EngineExecutionResults results) {
        return results.testEvents().reportingEntryPublished().stream()
                .map(event -> event.getRequiredPayload(ReportEntry.class))
                .map(entry -> String.valueOf(entry.getKeyValuePairs().get("cerrojo")))
                .toList();
    }

    /** Of JUnit 6 or, in the module beside this one, of JUnit 5. */
    @Test
    void theJUnitIsTheOneOfTheModule() {
        String expected = System.getProperty("junit.expected", "6.");

        assertThat(Test.class.getPackage().getImplementationVersion()).startsWith(expected);
        assertThat(EngineTestKit.class.getPackage().getImplementationVersion())
                .startsWith(expected.equals("6.") ? "6." : "1.");
    }

    @Test
    void aFailureShowsTheTimelineAndHowToRunItAgain() {
        Throwable failure = failure(run("violated"));

        assertThat(failure)
                .isInstanceOf(InterleavingFailure.class)
                .hasMessageContaining("VIOLATED: ")
                .hasMessageContaining("A  one adds")
                .hasMessageContaining("the rule is violated (no row of: SELECT n FROM counter WHERE n <> 2)")
                .hasMessageContaining("@Replay(\"1:A")
                .hasMessageContaining("-Dcerrojo.replay=1:A");
    }

    @Test
    void theTimelineIsAttached() throws Exception {
        EngineExecutionResults results = run("violated");

        FileEntry file = results.allEvents()
                .filter(event -> event.getPayload(FileEntry.class).isPresent())
                .map(event -> event.getRequiredPayload(FileEntry.class))
                .findFirst()
                .orElseThrow();
        assertThat(file.getMediaType())
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/markdown"));
        assertThat(Files.readString(file.getPath(), StandardCharsets.UTF_8))
                .contains("```text")
                .contains("one adds");
    }

    @Test
    void whatHoldsPassesAndSaysWhatWasRun() {
        EngineExecutionResults results = run("holds");

        results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(0));
        assertThat(entries(results)).singleElement().asString().startsWith("HOLDS: the rule in every order");
    }

    @Test
    void aReplayRunsOneSchedule() {
        EngineExecutionResults results = run("replayed");

        results.testEvents().assertStatistics(stats -> stats.succeeded(1).failed(0));
        assertThat(entries(results))
                .singleElement()
                .asString()
                .contains("1:AAABBB")
                .contains("no other was run");
    }

    @Test
    void aSystemPropertyReplaysToo() {
        System.setProperty("cerrojo.replay", "1:ABBBAA");
        try {
            Throwable failure = failure(kit("violated", Interleavings.class)
                    .enableImplicitConfigurationParameters(true)
                    .execute());

            assertThat(failure)
                    .hasMessageContaining("the replayed schedule 1:ABBBAA-")
                    .hasMessageContaining(" ends with the rule violated");
        } finally {
            System.clearProperty("cerrojo.replay");
        }
    }

    @Test
    void aScheduleOfAnotherRaceIsNamed() {
        assertThat(failure(run("replayedFromElsewhere"))).hasMessageContaining("diverged at step 6");
    }

    @Test
    void aBoundFailsTheTestOrAbortsIt() {
        assertThat(failure(run("bounded"))).hasMessageContaining("INCONCLUSIVE").hasMessageContaining("2 schedules");
        assertThat(run("boundedAndAborted").testEvents().aborted().count()).isEqualTo(1);
    }

    @Test
    void aRaceWithoutSessionsIsAMistake() {
        assertThat(failure(run("incomplete"))).hasMessageContaining("a race needs sessions");
    }

    @Test
    void parameterizedTestsHaveRacesToo() {
        EngineExecutionResults results =
                kit("parameterized", int.class, Interleavings.class).execute();

        results.testEvents().assertStatistics(stats -> stats.succeeded(2).failed(0));
    }
}
