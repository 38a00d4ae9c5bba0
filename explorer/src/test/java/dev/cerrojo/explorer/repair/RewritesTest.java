package dev.cerrojo.explorer.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.repair.Blueprint.NotBuildable;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How candidates rewrite the text of a transaction, and when they give up. */
class RewritesTest {
    private static TransactionSpec transaction(String... steps) {
        String yaml = "transactions:\n  t:\n    params: [id, name]\n    steps:\n"
                + Arrays.stream(steps).map(step -> "      - " + step + "\n").collect(Collectors.joining())
                + "run: [\"t(id=1, name='a')\", \"t(id=2, name='b')\"]\ninvariant: SELECT 1\n";
        return ScenarioReader.read("test.yaml", yaml).transactions().get("t");
    }

    private static List<String> sql(TransactionSpec transaction) {
        return transaction.steps().stream()
                .map(step -> step instanceof Step.Statement statement
                        ? statement.sql().text().strip().replaceAll("\\s+", " ")
                        : "commit")
                .toList();
    }

    @Nested
    class AFoldedCheck {
        private static final String READ = "read: SELECT count(*) AS others FROM admin WHERE id <> :id";
        private static final String OTHERS =
                "(SELECT cerrojo_read.others FROM (SELECT count(*) AS others FROM admin WHERE id <> :id) AS cerrojo_read)";

        private List<String> folded(String... steps) throws NotBuildable {
            return sql(FoldedCheck.fold(transaction(steps)));
        }

        @Test
        void becomesAConditionOfAnUpdate() throws NotBuildable {
            assertThat(folded(
                            READ, "check: SELECT :others > 0", "write: UPDATE admin SET v = 1 WHERE id = :id OR v = 2"))
                    .containsExactly(
                            "UPDATE admin SET v = 1 WHERE (id = :id OR v = 2) AND (" + OTHERS + " > 0)",
                            "SELECT :rowcount > 0");
        }

        @Test
        void becomesTheWhereOfADelete() throws NotBuildable {
            assertThat(folded(READ, "check: SELECT :others > 0", "write: DELETE FROM admin RETURNING id"))
                    .startsWith("DELETE FROM admin WHERE (" + OTHERS + " > 0) RETURNING id");
        }

        @Test
        void becomesTheWhereOfAnInsertOfOneRow() throws NotBuildable {
            assertThat(folded(
                            READ,
                            "check: SELECT :others > 0",
                            "write: \"INSERT INTO admin VALUES (:id, lower(:name), (1 + 2)) ON CONFLICT DO NOTHING\""))
                    .startsWith("INSERT INTO admin SELECT :id, lower(:name), (1 + 2) WHERE (" + OTHERS
                            + " > 0) ON CONFLICT DO NOTHING");
        }

        @Test
        void keepsTheRefusalAndWhatFollows() throws NotBuildable {
            TransactionSpec folded = FoldedCheck.fold(transaction(
                    READ,
                    "check: SELECT :others > 0\n        else: last-one",
                    "write: UPDATE admin SET v = 1 WHERE id = :id",
                    "write: DELETE FROM log"));

            assertThat(((Step.Check) folded.steps().get(1)).refusalName()).isEqualTo("last-one");
            assertThat(sql(folded)).endsWith("DELETE FROM log");
        }

        @Test
        void keepsAReadThatIsUsedLater() throws NotBuildable {
            assertThat(folded(READ, "check: SELECT :others > 0", "write: UPDATE admin SET v = :others"))
                    .hasSize(3)
                    .startsWith("SELECT count(*) AS others FROM admin WHERE id <> :id");
        }

        @Test
        void expandsAReadOfARead() throws NotBuildable {
            assertThat(folded(
                                    "read: SELECT v FROM admin WHERE id = :id",
                                    "read: SELECT max(w) AS most FROM log WHERE v = :v",
                                    "check: SELECT :most > :v",
                                    "write: UPDATE admin SET v = 1")
                            .get(0))
                    .doesNotContain(":v")
                    .doesNotContain(":most");
        }

        @Test
        void joinsSeveralChecks() throws NotBuildable {
            assertThat(folded(
                                    READ,
                                    "check: SELECT :others > 0",
                                    "check: SELECT count(*) > 0 FROM log",
                                    "write: UPDATE admin SET v = 1")
                            .get(0))
                    .endsWith("(" + OTHERS + " > 0) AND ((SELECT count(*) > 0 FROM log))");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "read: SELECT 1 AS one | check: SELECT :one > 0 | t writes nothing",
                    "read: SELECT 1 AS one | write: DELETE FROM t | t checks nothing before its first write",
                    "read: SELECT v FROM t FOR UPDATE | check: SELECT :v > 0 | more than plain reads and checks before",
                    "read: SELECT * FROM t | check: SELECT true | have no plain names",
                    "check: SELECT true | write: INSERT INTO t SELECT 1 | has no VALUES",
                    "check: SELECT true | write: 'INSERT INTO t VALUES (1), (2)' | has more than one row of VALUES",
                    "check: SELECT true | write: TRUNCATE t | is a TRUNCATE, which has no WHERE",
                    "check: WITH w AS (SELECT true) SELECT * FROM w | write: DELETE FROM t | is no plain SELECT"
                })
        void givesUpWithAReason(String first, String second, String reason) {
            List<String> steps = new ArrayList<>(List.of(first, second));
            if (reason.contains("plain")) {
                steps.add("write: DELETE FROM t");
            }

            assertThatThrownBy(() -> FoldedCheck.fold(transaction(steps.toArray(String[]::new))))
                    .isInstanceOf(NotBuildable.class)
                    .hasMessageContaining(reason);
        }
    }

    @Nested
    class LockedRows {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "SELECT v FROM t WHERE id = :id | SELECT v FROM t WHERE id = :id FOR UPDATE",
                    "SELECT v FROM t ORDER BY v | SELECT v FROM t ORDER BY v FOR UPDATE",
                    "SELECT a.v FROM t AS a, u WHERE a.id = u.id | SELECT a.v FROM t AS a, u WHERE a.id = u.id FOR UPDATE",
                    "SELECT count(*) AS n FROM t WHERE v > 0 | SELECT count(*) AS n FROM (SELECT * FROM t WHERE v > 0 FOR UPDATE) AS t",
                    "SELECT sum(a.v) AS n FROM t AS a | SELECT sum(a.v) AS n FROM (SELECT * FROM t AS a FOR UPDATE) AS a",
                    "SELECT max(v) AS n FROM s.t x WHERE true | SELECT max(v) AS n FROM (SELECT * FROM s.t x WHERE true FOR UPDATE) AS x"
                })
        void areThoseOfTheRead(String read, String locked) throws NotBuildable {
            assertThat(sql(LockedReads.lock(transaction("read: " + read)))).containsExactly(locked);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "SELECT v FROM t FOR SHARE",
                    "SELECT DISTINCT v FROM t",
                    "SELECT v FROM t GROUP BY v",
                    "SELECT v FROM t LIMIT 1",
                    "SELECT v FROM t UNION SELECT v FROM u",
                    "SELECT count(*) AS n FROM t, u",
                    "SELECT count(*) AS n FROM t JOIN u USING (id)",
                    "WITH w AS (SELECT v FROM t) SELECT v FROM w",
                    "SELECT 1 AS one"
                })
        void areNoneWhereTheReadIsNotPlain(String read) {
            assertThatThrownBy(() -> LockedReads.lock(transaction("read: " + read)))
                    .isInstanceOf(NotBuildable.class)
                    .hasMessage("t has no read whose rows can be locked");
        }

        @Test
        void leaveOtherStepsAsTheyAre() throws NotBuildable {
            assertThat(sql(LockedReads.lock(transaction(
                            "read: SELECT 1 AS one",
                            "read: SELECT v FROM t",
                            "check: SELECT :v > 0",
                            "write: DELETE FROM t"))))
                    .containsExactly("SELECT 1 AS one", "SELECT v FROM t FOR UPDATE", "SELECT :v > 0", "DELETE FROM t");
        }
    }

    @Nested
    class OtherScopes {
        private static Scenario scenario(String scope, String scopeRows, String one, String another) {
            return ScenarioReader.read("test.yaml", """
                    setup: CREATE TABLE s (id text PRIMARY KEY); CREATE TABLE t (s_id text)
                    transactions:
                      add:
                        params: [s, n]
                    %s
                        steps: [{write: "INSERT INTO t SELECT :s WHERE :n > 0"}]
                    runs:
                      - ["add(s=%s, n=7)", "add(s=%s, n=8)", "add(s=%s, n=9)"]
                      - ["add(s=%s, n=1)"]
                    %s
                    invariant: {name: few, scope: s(id), at_most: 1, of: t(s_id)}
                    """.formatted(scope, one, one, another, one, scopeRows));
        }

        private static final String DECLARED = "    scope: s";
        private static final String ROWS = "scope_rows: INSERT INTO s VALUES (:scope::text)";

        @ParameterizedTest
        @CsvSource(
                quoteCharacter = '`',
                value = {
                    "1,                                      1009",
                    "'a',                                    'a-2'",
                    "'it''s',                                'it''s-2'",
                    "'123e4567-e89b-12d3-a456-426614174000', '00000000-0000-4000-8000-00000ce44030'"
                })
        void areOfTheSameKindAndUsedByNoRun(String known, String other) {
            Scenario scenario = scenario(DECLARED, ROWS, known, known);
            assertThat(Scopes.impossible(scenario)).isEmpty();

            Scenario two = TwoScopes.of(scenario);

            assertThat(two.setup()).endsWith("INSERT INTO s VALUES (" + other + "::text);");
            assertThat(two.runs()).as("a run of one session says nothing").hasSize(1);
            assertThat(two.runs().get(0).sessions().stream()
                            .map(session ->
                                    session.calls().get(0).arguments().get("s").literal()))
                    .containsExactly(known, other, other);
            assertThat(two.runs().get(0).sessions().stream()
                            .map(session ->
                                    session.calls().get(0).arguments().get("n").literal()))
                    .as("other arguments stay")
                    .containsExactly("7", "8", "9");
        }

        @Test
        void needRowsAndAParameter() {
            assertThat(Scopes.impossible(scenario(DECLARED, "", "1", "1")))
                    .contains("the file has no scope_rows, which make the rows of one more scope");
            assertThat(Scopes.impossible(scenario("", ROWS, "1", "1")))
                    .contains("transaction add does not declare its scope parameter");
        }

        @Test
        void areNoneOfAGlobalInvariant() {
            Scenario global = ScenarioReader.read("test.yaml", """
                    transactions: {t: {params: [s], scope: s, steps: [{write: SELECT 1}]}}
                    run: [t(s=1), t(s=2)]
                    scope_rows: SELECT :scope
                    invariant: SELECT 1
                    """);

            assertThat(Scopes.impossible(global)).contains("the invariant is global: there is only one scope");
        }
    }
}
