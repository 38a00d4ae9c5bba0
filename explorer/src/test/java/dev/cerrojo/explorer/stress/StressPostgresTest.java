package dev.cerrojo.explorer.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.OnCall;
import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.repair.Repairer;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Workers;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is counted is what happened; and without protection it is seen to break. */
class StressPostgresTest {
    private static final String ON_CALL = OnCall.SETUP + OnCall.LEAVE + OnCall.INVARIANT;

    private static RepairReport repair(String yaml, String candidate) throws SQLException {
        return new Repairer(
                        TestServer.shared(),
                        Bounds.none(),
                        Search.Mode.REDUCED,
                        Repairer.Inside.SKIPPED,
                        new Workers(1),
                        Progress.SILENT)
                .repair(
                        ScenarioReader.read("test.yaml", yaml),
                        tried -> tried.id().equals(candidate));
    }

    private static StressReport stress(String yaml, String candidate, int operations, int scopes) throws SQLException {
        return new StressTest(TestServer.shared(), new Stress(operations, scopes)).of(repair(yaml, candidate));
    }

    /** The control is the pass as the file stands: the same operations, injections and counters, without the candidate. */
    @ParameterizedTest
    @ValueSource(strings = {"touch", "trigger-guard", "serializable"})
    void aCandidateThatHoldsKeepsWhatBreaksWithoutIt(String candidate) throws SQLException {
        StressReport report = stress(ON_CALL + OnCall.SCOPE_ROWS, candidate, 40, 10);

        Pass without = report.passes().get(0);
        assertThat(without.violations()).isNotEmpty();
        assertThat(without.inside().duplicates()).isPositive();
        Pass with = report.last();
        assertThat(with.protection()).isEqualTo(candidate);
        assertThat(with.violations()).isEmpty();
        assertThat(report.unjudged()).isEmpty();
        assertThat(report.scopes()).isEqualTo(10);
        assertThat(with.committed() + with.refused() + with.exhausted()).isEqualTo(40);
        assertThat(with.failed()).isEmpty();
        assertIsCountedAlike(with);
        assertIsCountedAlike(without);
    }

    /** And the second control: effects that are not left to afterCommit are done again, or for nothing. */
    private static void assertIsCountedAlike(Pass pass) {
        assertThat(pass.isCountedAlike()).isTrue();
        assertThat(pass.afterCommit().isExact()).isTrue();
        assertThat(pass.afterCommit().done()).isEqualTo(pass.committed());
        assertThat(pass.inside().isExact()).isFalse();
        assertThat(pass.injected().lockOrders()).isPositive();
        assertThat(pass.deadlockVictims())
                .isGreaterThanOrEqualTo(pass.injected().lockOrders());
        assertThat(pass.injected().failures()).isPositive();
        assertThat(pass.exhausted()).isPositive();
        assertThat(pass.retries()).isGreaterThanOrEqualTo(pass.rerun());
    }

    @Test
    void withoutScopeRowsThereIsOneScope() throws SQLException {
        StressReport report = stress(ON_CALL, "touch", 12, 5);

        assertThat(report.scopes()).isEqualTo(1);
        assertThat(report.oneScope().orElseThrow()).contains("scope_rows");
        assertThat(report.passes().get(0).violations()).hasSize(1);
        assertThat(report.last().violations()).isEmpty();
    }

    @Test
    void anInvariantAboutTheFilesOwnSessionsIsNotJudged() throws SQLException {
        StressReport report = stress("""
                setup: CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL); INSERT INTO counter VALUES (1, 0)
                transactions:
                  count:
                    steps:
                      - read: SELECT n FROM counter
                      - write: UPDATE counter SET n = :n + 1
                run: [count(), count()]
                invariant: {name: both, violated_by: SELECT id FROM counter WHERE n < 2}
                """, "touch", 10, 1);

        assertThat(report.unjudged().orElseThrow()).contains("before they begin");
    }

    @Test
    void whatCannotBeCountedIsSaid() throws SQLException {
        RepairReport none = repair(ON_CALL, "lock-after-check");
        assertThat(none.recommendation()).isEmpty();
        assertThat(StressTest.impossible(none).orElseThrow()).startsWith("no candidate");

        RepairReport foreign = repair(
                ON_CALL.replace(
                        "      - write: UPDATE", "      - {autonomous: true, write: SELECT 1}\n      - write: UPDATE"),
                "touch");
        assertThat(StressTest.impossible(foreign).orElseThrow()).contains("leave", "autonomous");
    }

    @Test
    void transactionsThatCommitInBetweenAreRunSo() throws SQLException {
        String split = ON_CALL.replace("      - write: UPDATE", "      - commit: true\n      - write: UPDATE");

        StressReport report = stress(split + OnCall.SCOPE_ROWS, "touch", 20, 5);

        assertThat(report.passes().get(0).violations()).isNotEmpty();
        assertThat(report.last().violations()).isEmpty();
    }

    @Test
    void numbersHaveBounds() {
        assertThatThrownBy(() -> new Stress(1, 20)).hasMessageContaining("2 to 10,000, but was 1");
        assertThatThrownBy(() -> new Stress(10, 0)).hasMessageContaining("1 to 1,000, but was 0");
    }
}
