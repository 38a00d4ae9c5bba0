package dev.cerrojo.explorer.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.testsupport.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is run as listed, also beside PostgreSQL's own tester. */
@Timeout(120)
class ListedRunPostgresTest {
    /** The step "lock" keeps a row until "end"; "want" and "more" wait for it. */
    private static final String COUNTER = """
            setup { CREATE TABLE t (a int); INSERT INTO t VALUES (0); }
            teardown { DROP TABLE t; }
            session a
            setup { BEGIN; }
            step lock { UPDATE t SET a = a + 1; }
            step end { COMMIT; }
            session b
            step want { UPDATE t SET a = a + 1; }
            step see { SELECT a FROM t; }
            session c
            step more { UPDATE t SET a = a + 10; }
            step tell { DO $$ BEGIN RAISE NOTICE 'one'; RAISE NOTICE 'two'; END $$; }
            """;

    private static final String LOCK = "step lock: UPDATE t SET a = a + 1;";
    private static final String WANT = "step want: UPDATE t SET a = a + 1;";
    private static final String MORE = "step more: UPDATE t SET a = a + 10;";
    private static final String END = "step end: COMMIT;";
    private static final String TELL =
            "c: NOTICE:  one\nc: NOTICE:  two\nstep tell: DO $$ BEGIN RAISE NOTICE 'one'; RAISE NOTICE 'two'; END $$;";

    private final StringBuilder output = new StringBuilder();

    private List<String> run(Spec spec) throws SQLException {
        return new ListedRun(TestServer.shared(), output::append).run(spec);
    }

    private List<String> run(String text) throws SQLException {
        return run(SpecReader.parse("x.spec", text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "write-skew.spec",
                "joint-balance.spec",
                "day-report.spec",
                "deadlock.spec",
                "waiting.spec",
                "blocking.spec",
                "teardown.spec"
            })
    void outputIsThatOfTheTester(String file, @TempDir Path folder)
            throws SQLException, IOException, InterruptedException {
        Spec spec = Specs.read(file);
        String expected = testerOutput(Path.of(spec.file()), folder);

        assertThat(run(spec)).isEmpty();

        assertThat(output.toString()).isEqualTo(expected);
    }

    private static String testerOutput(Path spec, Path folder) throws SQLException, IOException, InterruptedException {
        try (TestDatabase database = TestDatabase.create()) {
            Path file = folder.resolve("output");
            Process process = IsolationTester.of(database.jdbcUrl())
                    .process(spec)
                    .redirectOutput(file.toFile())
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                fail("PostgreSQL's isolation tester did not end: %s", Files.readString(file));
            }
            String output = Files.readString(file);
            int exitCode = process.exitValue();
            assumeTrue(exitCode != 127, "PostgreSQL's isolation tester does not run here: " + output);
            assertThat(exitCode).as(output).isZero();
            return output;
        }
    }

    @Test
    void withoutPermutationsAllAreRunInTheTestersOrder() {
        Spec spec = SpecReader.parse("x.spec", """
                session a step a1 { } step a2 { }
                session b step b1 { }
                """);

        assertThat(ListedRun.all(spec))
                .extracting(permutation -> permutation.steps().stream()
                        .map(Permutation.Entry::step)
                        .toList())
                .containsExactly(List.of("a1", "a2", "b1"), List.of("a1", "b1", "a2"), List.of("b1", "a1", "a2"));
    }

    // ---------------------------------------------------------------- markers

    @Test
    void aStarReportsAStepAsWaitingThoughItDoesNot() throws SQLException {
        assertThat(run(COUNTER + "permutation lock(*) end")).isEmpty();

        assertThat(output).endsWith(lines(LOCK + " <waiting ...>", "step lock: <... completed>", END));
    }

    @Test
    void aStepInAMarkerHoldsTheReportBackUntilThatIsComplete() throws SQLException {
        // who waited first goes on first, which no marker holds back
        assertThat(run(COUNTER + "permutation lock more want end")).isEmpty();
        assertThat(output).endsWith(lines(END, "step more: <... completed>", "step want: <... completed>"));

        assertThat(run(COUNTER + "permutation lock more(want) want end")).isEmpty();
        assertThat(output)
                .endsWith(lines(
                        LOCK,
                        MORE + " <waiting ...>",
                        WANT + " <waiting ...>",
                        END,
                        "step want: <... completed>",
                        "step more: <... completed>"));
    }

    @Test
    void noticesInAMarkerHoldTheReportBackUntilSoManyCame() throws SQLException {
        assertThat(run(COUNTER + "permutation lock(tell notices 2) tell end")).isEmpty();

        assertThat(output).endsWith(lines(LOCK + " <waiting ...>", TELL, "step lock: <... completed>", END));
    }

    @Test
    void moreNoticesThanComeAreNoHang() throws SQLException {
        assertThat(run(COUNTER + "permutation lock(tell notices 3) tell end")).hasSize(1);

        assertThat(output).contains(TELL).doesNotContain("completed");
    }

    private static String lines(String... lines) {
        return String.join("\n", lines) + "\n";
    }

    // ---------------------------------------------------------------- what the tester would hang in, or end

    @Test
    void aPermutationThatCannotGoOnIsGivenUpAtOnce() throws SQLException {
        List<String> problems = run(COUNTER + """
                permutation lock want see end
                permutation lock want end see
                permutation lock want
                """);

        assertThat(problems)
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem)
                        .contains("this permutation cannot be run as listed: step \"want\" waits for what only"));
        assertThat(output).contains("starting permutation: lock want end see").contains("2\n");
    }

    @Test
    void aTeardownThatFailsIsPrinted() throws SQLException {
        assertThat(run("""
                        setup { CREATE TABLE t (a int); }
                        teardown { DROP TABLE t; }
                        session a
                        step see { SELECT a FROM t; }
                        teardown { DROP TABLE u; }
                        session b
                        step drop { DROP TABLE t; }
                        permutation drop
                        permutation see
                        """)).isEmpty();

        assertThat(output)
                .contains(lines(
                        "step drop: DROP TABLE t;",
                        "teardown of session a failed: ERROR:  table \"u\" does not exist",
                        "teardown failed: ERROR:  table \"t\" does not exist",
                        "",
                        "starting permutation: see",
                        "step see: SELECT a FROM t;"));
    }

    @Test
    void aSetupThatFailsIsNamedWithItsLine() {
        assertThatThrownBy(() -> run("""
                        setup { CREATE TABLE t (a int); }
                        session a
                        setup { INSERT INTO nowhere VALUES (1); }
                        step see { SELECT a FROM t; }
                        """))
                .isInstanceOf(ScenarioSqlException.class)
                .hasMessageStartingWith(
                        "x.spec:3: setup of session \"a\": PostgreSQL refuses this statement: relation \"nowhere\"");
    }
}
