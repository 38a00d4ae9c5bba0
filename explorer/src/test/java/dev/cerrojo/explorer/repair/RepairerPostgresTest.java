package dev.cerrojo.explorer.repair;

import static dev.cerrojo.explorer.OnCall.INVARIANT;
import static dev.cerrojo.explorer.OnCall.LEAVE;
import static dev.cerrojo.explorer.OnCall.SCOPE_ROWS;
import static dev.cerrojo.explorer.OnCall.SETUP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.check.Judgement;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.search.Workers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which repair holds where is known of small races; the repairer must find it out. */
class RepairerPostgresTest {
    private static RepairReport repair(String yaml, Repairer.Inside inside, String... ids) throws SQLException {
        Set<String> wanted = Arrays.stream(ids).collect(Collectors.toSet());
        Scenario scenario = ScenarioReader.read("test.yaml", yaml);
        return new Repairer(
                        TestServer.shared(),
                        Bounds.none(),
                        Search.Mode.REDUCED,
                        inside,
                        new Workers(1),
                        Progress.SILENT)
                .repair(scenario, candidate -> wanted.isEmpty() || wanted.contains(candidate.id()));
    }

    /** Here the first schedule takes all the time there is: with a time of its own, each candidate would be decided. */
    @Test
    void allSearchesTogetherKeepTheTimeOfOneFile() throws SQLException {
        Duration time = Duration.ofSeconds(2);
        long end = System.nanoTime() + time.toNanos();
        Scenario scenario = ScenarioReader.read("test.yaml", SETUP + LEAVE + INVARIANT + SCOPE_ROWS);

        RepairReport report = new Repairer(
                        TestServer.shared(),
                        new Bounds(Long.MAX_VALUE, time),
                        Search.Mode.EXHAUSTIVE,
                        Repairer.Inside.SKIPPED,
                        new Workers(1),
                        (schedules, violating, waiting) -> awaitTime(end))
                .repair(scenario, candidate -> candidate.id().equals("touch"));

        assertThat(report.candidates())
                .flatExtracting(CandidateResult::cells)
                .hasSize(3)
                .anyMatch(cell -> cell.verdict() == Verdict.INCONCLUSIVE);
    }

    private static void awaitTime(long end) {
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private static CandidateResult only(String yaml, String id) throws SQLException {
        return repair(yaml, Repairer.Inside.SKIPPED, id).candidates().get(0);
    }

    private static String verdicts(CandidateResult result) {
        return result.cells().stream()
                .map(cell -> cell.holds() ? "holds" : cell.verdict() == Verdict.VIOLATED ? "violated" : "unknown")
                .collect(Collectors.joining(" "));
    }

    /** Two doctors who leave at once: everything tried, once. */
    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OfAWriteSkew {
        private RepairReport report;

        @BeforeAll
        void repairs() throws SQLException {
            report = repair(SETUP + LEAVE + INVARIANT + SCOPE_ROWS, Repairer.Inside.SKIPPED);
        }

        private CandidateResult result(String id) {
            return report.candidates().stream()
                    .filter(result -> result.candidate().id().equals(id))
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        void theRaceIsThere() {
            assertThat(report.base().verdict()).isEqualTo(Verdict.VIOLATED);
            assertThat(report.scopesNote()).isEmpty();
        }

        /** At READ COMMITTED, REPEATABLE READ and SERIALIZABLE; or at the one level that the candidate brings. */
        @ParameterizedTest
        @CsvSource({
            "touch,                       holds holds holds",
            "lock-scope-row,              holds violated holds",
            "lock-scope-row-for-update,   holds violated holds",
            "advisory-lock,               holds violated holds",
            "lock-read-rows,              holds holds holds",
            "lock-table,                  holds holds holds",
            "serializable,                holds",
            "repeatable-read,             violated",
            "folded-check,                violated violated holds",
            "version-column,              holds holds holds",
            "trigger-guard,               holds holds holds"
        })
        void candidateHoldsWhereItDoes(String id, String verdicts) {
            assertThat(verdicts(result(id))).isEqualTo(verdicts);
            assertThat(result(id).candidate().kind()).isEqualTo(Candidate.Kind.CANDIDATE);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "lock-after-check",
                    "lock-and-read-together",
                    "lock-released-early",
                    "lock-in-its-own-transaction",
                    "share-lock",
                    "counting-trigger",
                    "counting-trigger-deferred"
                })
        void popularIdeaDoesNotHold(String id) {
            assertThat(result(id).cells().get(0).verdict()).isEqualTo(Verdict.VIOLATED);
            assertThat(result(id).candidate().kind()).isEqualTo(Candidate.Kind.KNOWN_BAD);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "native-constraint | PostgreSQL has no constraint for the rule of invariant covered: only unique and no_overlap are ones",
                    "one-transaction   | every transaction is one already",
                    "lock-in-one-path  | there is only one path"
                })
        void whatCannotBeBuiltSaysWhy(String id, String reason) {
            assertThat(result(id).notBuilt()).contains(reason);
            assertThat(result(id).cells()).isEmpty();
        }

        /** Different shifts must not wait for each other; a lock of the table makes them. */
        @ParameterizedTest
        @CsvSource({
            "touch,          false",
            "lock-scope-row, false",
            "advisory-lock,  false",
            "lock-read-rows, false",
            "version-column, false",
            "trigger-guard,  false",
            "lock-table,     true"
        })
        void otherScopesWaitOrNot(String id, boolean blocks) {
            assertThat(result(id).blocksOtherScopes()).contains(blocks);
        }

        @Test
        void scopesOfWhatHoldsNowhereDoNotMatter() {
            assertThat(result("repeatable-read").blocksOtherScopes()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "touch, 1",
            "lock-table, 1",
            "serializable, 0",
            "version-column, 2",
            "trigger-guard, 0",
            "lock-read-rows, 0"
        })
        void statementsThatItAddsAreCounted(String id, int statements) {
            assertThat(result(id).extraStatements()).hasValue(statements);
        }

        @Test
        void newErrorsAreTold() {
            assertThat(result("touch").cells().get(0).newSqlStates()).isEmpty();
            assertThat(result("touch").cells().get(1).newSqlStates()).containsExactly("40001");
            assertThat(result("lock-read-rows").cells().get(0).newSqlStates()).containsExactly("40P01");
        }

        /** It adds no error, no deadlock and no wait across scopes, and holds at every level. */
        @Test
        void theTouchIsRecommended() {
            RepairReport.Recommendation recommendation = report.recommendation().orElseThrow();

            assertThat(recommendation.candidate().id()).isEqualTo("touch");
            assertThat(recommendation.reasons())
                    .contains("No schedule deadlocks.", "Transactions of different scopes never wait for each other.");
            assertThat(recommendation.how()).contains("first in leave, before anything is read");
        }
    }

    // ---------------------------------------------------------------- what a file does not declare

    @Test
    void withoutScopeRowsNothingIsSaidOfScopes() throws SQLException {
        RepairReport report = repair(SETUP + LEAVE + INVARIANT, Repairer.Inside.SKIPPED, "touch");

        assertThat(report.scopesNote()).contains("the file has no scope_rows, which make the rows of one more scope");
        assertThat(report.candidates().get(0).blocksOtherScopes()).isEmpty();
    }

    @Test
    void withoutAScopeParameterNoScopeCanBeLocked() throws SQLException {
        CandidateResult result = only(SETUP + LEAVE.replace("    scope: shift\n", "") + INVARIANT, "touch");

        assertThat(result.notBuilt().orElseThrow())
                .contains(
                        "transaction leave does not declare which of its parameters is the scope of invariant covered");
    }

    @Test
    void aGlobalInvariantHasNoScopeRow() throws SQLException {
        String global = SETUP + LEAVE + "invariant: SELECT 1 WHERE NOT EXISTS (SELECT FROM on_call WHERE active)\n";

        assertThat(only(global, "version-column").notBuilt().orElseThrow()).contains("global scope");
        assertThat(verdicts(only(global, "touch"))).isEqualTo("holds holds holds");
        assertThat(verdicts(only(global, "trigger-guard"))).isEqualTo("holds holds holds");
    }

    // ---------------------------------------------------------------- native constraints

    private static final String SEATS = """
            setup: |
              CREATE TABLE seat (id int PRIMARY KEY);
              CREATE TABLE booking (seat_id int NOT NULL REFERENCES seat, guest text NOT NULL, during int4range NOT NULL);
              INSERT INTO seat VALUES (1);
            transactions:
              book:
                params: [seat, guest]
                scope: seat
                steps:
                  - read: SELECT count(*) AS taken FROM booking WHERE seat_id = :seat
                  - check: SELECT :taken = 0
                    else: taken
                  - write: INSERT INTO booking VALUES (:seat, :guest, '[1,5)')
            run:
              - book(seat=1, guest='A')
              - book(seat=1, guest='B')
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "unique: booking(seat_id)                                   ; 23505",
                "no_overlap: booking(seat_id WITH =, during WITH &&)        ; 23P01"
            })
    void aRuleThatIsAConstraintIsRepairedByIt(String rule, String sqlState) throws SQLException {
        RepairReport report = repair(
                SEATS.replace("CREATE TABLE seat", "CREATE EXTENSION IF NOT EXISTS btree_gist; CREATE TABLE seat")
                        + "invariant: {name: one_guest, " + quotedRule(rule) + "}\n",
                Repairer.Inside.SKIPPED,
                "native-constraint",
                "touch");

        CandidateResult result = report.candidates().stream()
                .filter(one -> one.candidate().id().equals("native-constraint"))
                .findFirst()
                .orElseThrow();
        assertThat(result.notBuilt()).isEmpty();
        assertThat(verdicts(result)).isEqualTo("holds holds holds");
        assertThat(result.cells().get(0).newSqlStates()).containsExactly(sqlState);
        assertThat(report.recommendation().orElseThrow().candidate().id()).isEqualTo("native-constraint");
    }

    private static String quotedRule(String rule) {
        int colon = rule.indexOf(':');
        return rule.substring(0, colon) + ": \"" + rule.substring(colon + 1).strip() + "\"";
    }

    // ---------------------------------------------------------------- the user's own

    private static final String OWN = """
            repairs:
              - name: lock the shift
                expect: holds_no_deadlock
                prepend: {leave: [{write: SELECT 1 FROM shift WHERE id = :shift FOR NO KEY UPDATE}]}
              - name: a level that is no help
                expect: does_not_hold
                isolation: repeatable read
              - name: a wrong hope
                expect: holds
                isolation: repeatable read
              - name: deadlocks
                expect: deadlocks
                prepend: {leave: [{write: "SELECT 1 FROM on_call WHERE shift_id = :shift AND doctor <> :doctor FOR UPDATE"}]}
              - name: no deadlock, one hopes
                expect: holds_no_deadlock
                prepend: {leave: [{write: "SELECT 1 FROM on_call WHERE shift_id = :shift AND doctor <> :doctor FOR UPDATE"}]}
              - name: nobody leaves
                expect: holds
                prepend: {leave: [{check: "SELECT false"}]}
              - name: nothing expected
                prepend: {leave: [{write: SELECT 1 FROM shift WHERE id = :shift FOR NO KEY UPDATE}]}
            """;

    @ParameterizedTest
    @CsvSource({"1, MET", "2, MET", "3, NOT_MET", "4, MET", "5, NOT_MET", "6, NOT_MET"})
    void whatAFileExpectsOfItsRepairIsJudged(int number, Judgement judgement) throws SQLException {
        CandidateResult result = only(SETUP + LEAVE + INVARIANT + OWN, "user-" + number);

        assertThat(result.candidate().kind()).isEqualTo(Candidate.Kind.USER);
        assertThat(result.cells()).singleElement().satisfies(cell -> {
            assertThat(cell.isolation()).isEqualTo("as declared");
            assertThat(cell.judgement()).contains(judgement);
        });
    }

    @Test
    void whereNothingIsExpectedNothingIsJudged() throws SQLException {
        Cell cell = only(SETUP + LEAVE + INVARIANT + OWN, "user-7").cells().get(0);

        assertThat(cell.judgement()).isEmpty();
        assertThat(cell.holds()).isTrue();
    }

    /**
     * All orders of the statements hold. The violation needs the block to be committed after the sub-query was read and before
     * the row is updated; the sleep lets it happen often when sessions run freely.
     */
    private static final String ONLY_INSIDE = """
            setup: |
              CREATE TABLE shift (id int PRIMARY KEY, doctor text);
              CREATE TABLE block (shift_id int NOT NULL);
              INSERT INTO shift VALUES (1, NULL);
            transactions:
              assign:
                atomic: false
                steps:
                  - write: UPDATE shift SET doctor = 'A'
                            WHERE id = 1 AND (SELECT count(*) FROM block RIGHT JOIN pg_sleep(0.003) ON true WHERE shift_id = 1) = 0
              block:
                atomic: false
                steps:
                  - write: INSERT INTO block VALUES (1)
                  - write: UPDATE shift SET doctor = NULL WHERE id = 1
            run: [assign(), block()]
            invariant: SELECT id, doctor FROM shift WHERE doctor IS NOT NULL AND EXISTS (SELECT 1 FROM block)
            repairs:
              - name: as it is
                expect: %s
                retry: 1
            """;

    @ParameterizedTest
    @CsvSource({"holds, NOT_MET", "does_not_hold, MET"})
    void whatHappensInsideOfStatementsCountsForAnExpectation(String expected, Judgement judgement) throws SQLException {
        Cell cell = repair(ONLY_INSIDE.formatted(expected), Repairer.Inside.TRIED, "user-1")
                .candidates()
                .get(0)
                .cells()
                .get(0);

        assertThat(cell.result().verdict()).as("between statements").isEqualTo(Verdict.HOLDS);
        assertThat(cell.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(cell.judgement()).contains(judgement);
    }

    @Test
    void aSetOfCandidatesIsListedWithoutAServer() {
        List<String> ids =
                Repairer.candidates(ScenarioReader.read("test.yaml", SETUP + LEAVE + INVARIANT + OWN)).stream()
                        .map(Candidate::id)
                        .toList();

        assertThat(ids)
                .startsWith("touch")
                .contains("trigger-guard", "counting-trigger")
                .endsWith("user-7");
        assertThat(ids).doesNotHaveDuplicates();
    }
}
