package dev.cerrojo.explorer.fix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.fix.RegressionYaml.Guarded;
import dev.cerrojo.explorer.fix.RegressionYaml.NotEditable;
import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.tx.Isolation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegressionYamlTest {
    private static final String SQL = "-- a migration\n\nDO $$ BEGIN\n  PERFORM 'x: y # z';\n\tEND $$;\n";

    private static String regression(String text, Guarded... guarded) throws NotEditable {
        return RegressionYaml.of(text, ScenarioReader.read("a.yaml", text), List.of(guarded));
    }

    private static boolean same(String regression, String base, Guarded... guarded) {
        return new RegressionComparison(
                        ScenarioReader.read("a.regression.yaml", regression),
                        ScenarioReader.read("a.yaml", base),
                        List.of(guarded))
                .same();
    }

    private static Guarded migrated(String base, String sql) {
        return new Guarded(
                "guarded \"so\" \u00e9",
                Expectation.HOLDS_NO_DEADLOCK,
                ScenarioReader.read("a.yaml", base).withSetupAppended(sql));
    }

    @Test
    void theFilesOwnJudgementGoesAndAllElseStays() throws NotEditable {
        Guarded guarded = migrated(Shifts.LEAVE, SQL);
        String text = regression(Shifts.LEAVE, guarded);

        assertThat(text)
                .startsWith("# Comments stay.\n")
                .contains("# Who runs.\nrun:")
                .doesNotContain("What is said of it", "does_not_hold")
                .containsOnlyOnce("expect: violated");
        assertThat(same(text, Shifts.LEAVE, guarded)).isTrue();
    }

    /** The control: another migration, another expectation or other steps are seen. */
    @Test
    void aTestOfSomethingElseIsNotTheSame() throws NotEditable {
        String text = regression(Shifts.LEAVE, migrated(Shifts.LEAVE, SQL));

        assertThat(same(text, Shifts.LEAVE, migrated(Shifts.LEAVE, SQL + "\n"))).isFalse();
        assertThat(same(text, Shifts.LEAVE)).isFalse();
        assertThat(same(text, Shifts.LEAVE.replace("AND active\n", "AND NOT active\n"), migrated(Shifts.LEAVE, SQL)))
                .isFalse();
        assertThat(same(text.replace("expect: violated", "expect: holds"), Shifts.LEAVE, migrated(Shifts.LEAVE, SQL)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"...\n", "\n\n# the end\n", "\n---\n"})
    void aDocumentMayEndInManyWays(String end) throws NotEditable {
        String base = end.startsWith("\n---") ? "---\n" + Shifts.LEAVE : Shifts.LEAVE + end;
        Guarded guarded = migrated(base, SQL);

        assertThat(same(regression(base, guarded), base, guarded)).isTrue();
    }

    /** Text that no block keeps. */
    @ParameterizedTest
    @ValueSource(
            strings = {"  SELECT 1", "\nSELECT 1;\n", "SELECT '\u0007\u00a0\u2028';\n", "SELECT 1;\n\n", "SELECT 1"})
    void textIsKeptToTheLetter(String sql) throws NotEditable {
        Guarded guarded = migrated(Shifts.LEAVE, sql);

        assertThat(same(regression(Shifts.LEAVE, guarded), Shifts.LEAVE, guarded))
                .isTrue();
    }

    @Test
    void stepsLevelsAndRetriesAreThere() throws NotEditable {
        Scenario base = ScenarioReader.read("a.yaml", Shifts.LEAVE);
        TransactionSpec leave = base.transactions().values().iterator().next();
        Position at = Position.generated("test");
        List<Step> steps = List.of(
                new Step.Read(SqlTemplate.parse("SELECT 1 AS one"), true, at),
                new Step.Check(SqlTemplate.parse("SELECT :one = 1"), Optional.of("a \"b\""), false, at),
                new Step.Commit(at),
                new Step.Write(SqlTemplate.parse("UPDATE shift\nSET id = id -- same\n"), false, at));
        Guarded guarded = new Guarded(
                "changed",
                Expectation.HOLDS,
                base.withTransactions(Map.of(
                        "leave",
                        leave.withSteps(steps)
                                .withIsolation(Isolation.SERIALIZABLE)
                                .withRetry(3)
                                .withAtomic(false))));

        assertThat(same(regression(Shifts.LEAVE, guarded), Shifts.LEAVE, guarded))
                .isTrue();
    }

    @Test
    void aFileInBracesIsRefused() {
        String flow = "{setup: CREATE TABLE t (), transactions: {a: {steps: [{write: SELECT 1}]}}, run: [a()]}";

        assertThatThrownBy(() -> regression(flow))
                .isInstanceOf(NotEditable.class)
                .hasMessageContaining("write its keys one below the other");
    }
}
