package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.tx.Isolation;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepairReaderTest {
    private static final String BASE = """
            isolation: repeatable read
            setup: CREATE TABLE t (a int)
            transactions:
              one: {atomic: false, steps: [{read: SELECT 1 AS a}, {commit: true}, {write: SELECT 2}]}
              two: {retry: 4, steps: [{read: SELECT 3}]}
            run: [one(), two()]
            invariant: SELECT 1 WHERE false
            expect: violated
            repairs:
              - name: tried
            """;

    @Test
    void nothingChangedIsTheFileWithoutExpectation() {
        Repair repair = repair("");

        assertThat(repair.expect()).isEmpty();
        assertThat(repair.at()).isEqualTo(new Position(10, "repairs[0]"));
        assertThat(repair.repaired().expect()).isEmpty();
        assertThat(repair.repaired().repairs()).isEmpty();
        assertThat(steps(repair, "one")).containsExactly("SELECT 1 AS a", "COMMIT", "SELECT 2");
    }

    @Test
    void stepsAreAddedAroundTheOwnOnes() {
        Repair repair = repair("""
                prepend: {one: [{write: SELECT 0}, {commit: true}]}
                append: {one: [{check: 'SELECT :a > 0', else: no}], two: [{write: SELECT 9}]}
                """);

        assertThat(steps(repair, "one"))
                .containsExactly("SELECT 0", "COMMIT", "SELECT 1 AS a", "COMMIT", "SELECT 2", "SELECT :a > 0");
        assertThat(steps(repair, "two")).containsExactly("SELECT 3", "SELECT 9");
    }

    @Test
    void indexesCountEveryEntryOfTheTransactionsOwnSteps() {
        Repair repair = repair("""
                append: {one: [{write: SELECT 9}]}
                prepend: {one: [{write: SELECT 0}]}
                replace: {one: {1: {write: SELECT 7}, 2: {write: SELECT 8}}}
                """);

        assertThat(steps(repair, "one"))
                .containsExactly("SELECT 0", "SELECT 1 AS a", "SELECT 7", "SELECT 8", "SELECT 9");
    }

    @Test
    void indexesCountTheStepsOfTheRepairWhenItHasSome() {
        Repair repair = repair("""
                replace: {two: {1: {write: SELECT 7}}}
                steps: {two: [{write: SELECT 5}, {write: SELECT 6}]}
                """);

        assertThat(steps(repair, "two")).containsExactly("SELECT 5", "SELECT 7");
    }

    @Test
    void oneLevelIsForAllTransactions() {
        Repair repair = repair("isolation: serializable\nretry: 5\natomic: true");

        assertThat(repair.repaired().transactions().values()).allSatisfy(transaction -> {
            assertThat(transaction.isolation()).isEqualTo(Isolation.SERIALIZABLE);
            assertThat(transaction.retry()).isEqualTo(5);
            assertThat(transaction.atomic()).isTrue();
        });
    }

    @Test
    void aMapOfLevelsLeavesTheOthersAlone() {
        Repair repair = repair("isolation: {two: read committed}");

        assertThat(repair.repaired().transactions().values().stream().map(TransactionSpec::isolation))
                .containsExactly(Isolation.REPEATABLE_READ, Isolation.READ_COMMITTED);
    }

    @Test
    void runSetupAndInvariantAreReplaced() {
        Scenario repaired = repair("""
                run: [two()]
                setup: CREATE TABLE u (a int)
                setup_append: CREATE TABLE v (a int)
                invariant: {name: some, at_least: 1, of: u}
                """).repaired();

        assertThat(repaired.runs()).singleElement().satisfies(run -> {
            assertThat(run.sessions()).hasSize(1);
            assertThat(run.at().path()).isEqualTo("repairs[0].run");
        });
        assertThat(repaired.setup()).isEqualTo("CREATE TABLE u (a int)\nCREATE TABLE v (a int)");
        assertThat(repaired.setupAt().path()).isEqualTo("repairs[0].setup");
        assertThat(repaired.invariants().stream().map(Invariant::name)).containsExactly("some");
    }

    @Test
    void expectationsAreRead() {
        for (Expectation expectation : List.of(
                Expectation.HOLDS, Expectation.HOLDS_NO_DEADLOCK, Expectation.DEADLOCKS, Expectation.DOES_NOT_HOLD)) {
            assertThat(repair("expect: " + expectation.word()).expect()).contains(expectation);
        }
    }

    private static Repair repair(String changes) {
        String yaml = BASE + changes.indent(4);
        return ScenarioReader.read("x", yaml).repairs().get(0);
    }

    private static List<String> steps(Repair repair, String transaction) {
        return repair.repaired().transactions().get(transaction).steps().stream()
                .map(step -> step instanceof Step.Statement statement
                        ? statement.sql().text()
                        : "COMMIT")
                .toList();
    }
}
