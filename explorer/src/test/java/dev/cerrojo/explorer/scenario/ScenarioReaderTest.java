package dev.cerrojo.explorer.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.tx.Isolation;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioReaderTest {
    static final String ON_CALL = """
        title: The last two doctors of a shift leave at the same time
        setup: |                             # SQL
          CREATE TABLE shift (id int PRIMARY KEY, active boolean NOT NULL);
          INSERT INTO shift VALUES (1, true);
        transactions:
          remove_doctor:
            params: [shift, doctor]
            scope: shift
            steps:
              - read: SELECT count(*) AS others FROM on_call
                      WHERE shift_id = :shift AND doctor <> :doctor AND active AND qualified
              - check: SELECT :others > 0    # one boolean
                else: coverage-conflict
              - write: UPDATE on_call SET active = false WHERE shift_id = :shift AND doctor = :doctor
          noop:
            isolation: Serializable
            retry: 2
            atomic: false
            steps: [{read: SELECT 1}]
        run:
          - remove_doctor(shift=1, doctor='A')
          - remove_doctor(doctor='B', shift=1); noop()
        invariant:
          name: on_call_coverage
          says: every active shift keeps at least one active, qualified doctor on call
          scope: shift(id)
          where: active
          at_least: 1
          of: on_call(shift_id) where active and qualified
        """;

    private final Scenario onCall = ScenarioReader.read("dir/on-call.yaml", ON_CALL);

    @Test
    void readsTransactionsWithTheirDefaults() {
        TransactionSpec remove = onCall.transactions().get("remove_doctor");

        assertThat(onCall.transactions().keySet()).containsExactly("remove_doctor", "noop");
        assertThat(remove.params()).containsExactly("shift", "doctor");
        assertThat(remove.scope()).contains("shift");
        assertThat(remove.isolation()).isEqualTo(Isolation.READ_COMMITTED);
        assertThat(remove.retry()).isZero();
        assertThat(remove.atomic()).isTrue();
        assertThat(onCall.transactions().get("noop"))
                .extracting(TransactionSpec::isolation, TransactionSpec::retry, TransactionSpec::atomic)
                .containsExactly(Isolation.SERIALIZABLE, 2, false);
    }

    @Test
    void readsStepsWithTheirPlaces() {
        List<Step> steps = onCall.transactions().get("remove_doctor").steps();

        assertThat(steps).hasExactlyElementsOfTypes(Step.Read.class, Step.Check.class, Step.Write.class);
        Step.Read read = (Step.Read) steps.get(0);
        assertThat(read.sql().jdbc())
                .isEqualTo("SELECT count(*) AS others FROM on_call WHERE shift_id = ? AND doctor <> ? AND active AND"
                        + " qualified");
        assertThat(read.sql().variables()).containsExactly("shift", "doctor");
        assertThat(read.at()).isEqualTo(new Position(10, "transactions.remove_doctor.steps[0].read"));
        assertThat(((Step.Check) steps.get(1)).refusal()).contains("coverage-conflict");
    }

    @Test
    void readsRunsWithArgumentsInTheOrderOfTheParameters() {
        Run run = onCall.runs().get(0);

        assertThat(run.at()).isEqualTo(new Position(21, "run"));
        assertThat(run.sessions().stream().map(Session::toString))
                .containsExactly("remove_doctor(shift=1, doctor='A')", "remove_doctor(shift=1, doctor='B'); noop()");
    }

    @Test
    void readsADeclaredInvariant() {
        assertThat(onCall.invariants())
                .containsExactly(new Invariant(
                        "on_call_coverage",
                        "every active shift keeps at least one active, qualified doctor on call",
                        new Scope.Table("shift", "id"),
                        Optional.of("active"),
                        new Rule.AtLeast(
                                1,
                                new Rule.Rows(
                                        "on_call", Optional.of("shift_id"), Optional.of("active and qualified")))));
    }

    @Test
    void placesTheSetupAtItsFirstLineOfText() {
        assertThat(onCall.setup()).startsWith("CREATE TABLE shift");
        assertThat(onCall.setupAt()).isEqualTo(new Position(3, "setup"));
    }

    @Test
    void namesAFileWithoutTitleByItself() {
        assertThat(ScenarioReader.read("dir/a.yaml", minimal("")).title()).isEqualTo("a.yaml");
        assertThat(ScenarioReader.read("dir/a.yaml", minimal("title: 404")).title())
                .isEqualTo("404");
    }

    @Test
    void readsEveryLiteral() {
        String yaml = """
            transactions:
              t: {params: [a, b, c, d, e, f, g, h], steps: [{read: SELECT 1}]}
            run:
              - t(a=1, b=-2, c=1.50, d='it''s', e=TRUE, f=false, g=null, h=99999999999999999999) ;t( a = -1e3,
                b='', c='a;b(c), d=', d=0, e=0, f=0, g=0, h=0);
            invariant: SELECT 1 WHERE false
            """;
        Session session =
                ScenarioReader.read("x", yaml).runs().get(0).sessions().get(0);

        assertThat(session.calls().get(0).arguments().values())
                .containsExactly(
                        new Value.Int(1),
                        new Value.Int(-2),
                        new Value.Decimal(new BigDecimal("1.50")),
                        new Value.Text("it's"),
                        new Value.Bool(true),
                        new Value.Bool(false),
                        new Value.Null(),
                        new Value.Decimal(new BigDecimal("99999999999999999999")));
        assertThat(session.calls().get(1).arguments())
                .containsEntry("a", new Value.Decimal(new BigDecimal("-1e3")))
                .containsEntry("b", new Value.Text(""))
                .containsEntry("c", new Value.Text("a;b(c), d="));
    }

    @Test
    void readsLongTexts() {
        String text = "''" + "x".repeat(100_000);
        Scenario scenario = ScenarioReader.read(
                "x",
                ScenarioReaderTest.minimal("")
                        .replace("params: []", "params: [a]")
                        .replace("[t()]", "[\"t(a='" + text + "')\"]"));

        assertThat(scenario.runs().get(0).sessions().get(0).calls().get(0).arguments())
                .containsEntry("a", new Value.Text("'" + "x".repeat(100_000)));
    }

    @Test
    void readsSeveralRuns() {
        Scenario scenario = ScenarioReader.read("x", """
            transactions:
              t: {steps: [{read: SELECT 1}]}
            runs:
              - [t(), t()]
              - - t()
                - t(); t()
                - t()
            invariant: SELECT 1 WHERE false
            """);

        assertThat(scenario.runs().stream().map(run -> run.sessions().size())).containsExactly(2, 3);
        assertThat(scenario.runs().get(1).at()).isEqualTo(new Position(5, "runs[1]"));
    }

    @Test
    void readsCommitsAutonomousStepsAndNumbersAsRefusals() {
        Scenario scenario = ScenarioReader.read("x", """
            transactions:
              t:
                steps:
                  - write: SELECT pg_advisory_lock(1)
                  - commit: true
                  - write: INSERT INTO t VALUES (1) RETURNING id
                    autonomous: true
                  - check: SELECT :id > :rowcount
                    else: 409
            run: [t()]
            invariant: SELECT 1 WHERE false
            """);

        List<Step> steps = scenario.transactions().get("t").steps();
        assertThat(steps.get(1)).isInstanceOf(Step.Commit.class);
        assertThat(((Step.Write) steps.get(2)).autonomous()).isTrue();
        assertThat(((Step.Check) steps.get(3)).refusalName()).isEqualTo("409");
    }

    @Test
    void readsAnchorsAliasesAndMerges() {
        Scenario scenario = ScenarioReader.read("x", """
            transactions:
              a: {steps: &steps [{read: SELECT 1}]}
              b: &b {steps: *steps}
              c: {<<: *b, retry: 1}
            run: [a(), b()]
            invariant: SELECT 1 WHERE false
            """);

        assertThat(scenario.transactions().get("c").steps()).hasSize(1);
    }

    @Test
    void readsScopeRowsAndExpectations() {
        Scenario scenario = ScenarioReader.read("x", minimal("""
            scope_rows: INSERT INTO shift VALUES (:scope, true); INSERT INTO on_call VALUES (:scope, 'A')
            expect: deadlocks\
            """));

        assertThat(scenario.scopeRows())
                .hasValueSatisfying(sql -> assertThat(sql).startsWith("INSERT INTO shift"));
        assertThat(scenario.expect()).contains(Expectation.DEADLOCKS);
    }

    @Test
    void readsAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("on-call.yaml"), "\uFEFF" + ON_CALL.replace("\n", "\r\n"));

        assertThat(ScenarioReader.read(file).file()).isEqualTo(file.toString());
        assertThat(ScenarioReader.read(file).transactions()).hasSize(2);
    }

    @Test
    void readsAContract() {
        Contract contract = ScenarioReader.readContract("x.yaml", """
            title: Rules of the back office
            invariants:
              one_admin:
                at_least: 1
                of: users where admin
              balanced: SELECT 1 WHERE false
            """);

        assertThat(contract.title()).isEqualTo("Rules of the back office");
        assertThat(contract.invariants().stream().map(Invariant::name)).containsExactly("one_admin", "balanced");
    }

    @Test
    void readsTheInvariantsOfAScenarioAsAContract() {
        Contract contract = ScenarioReader.readContract("x.yaml", ON_CALL);

        assertThat(contract.invariants())
                .isEqualTo(ScenarioReader.read("x.yaml", ON_CALL).invariants());
        assertThat(contract.setup()).contains("CREATE TABLE shift");
    }

    /** A valid scenario with more at its top. */
    static String minimal(String more) {
        return """
            transactions:
              t: {params: [], steps: [{read: SELECT 1}]}
            run: [t()]
            invariant: SELECT 1 WHERE false
            """ + more + "\n";
    }
}
