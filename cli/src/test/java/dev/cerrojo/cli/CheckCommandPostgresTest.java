package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CheckCommandPostgresTest {
    private static TestDatabase database;

    @TempDir
    private Path folder;

    private ScenarioFiles files;

    @BeforeAll
    static void server() {
        database = TestDatabase.create();
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    @BeforeEach
    void folder() {
        files = new ScenarioFiles(folder);
    }

    @AfterEach
    void noDatabaseIsLeft() throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement();
                ResultSet row =
                        sql.executeQuery("SELECT count(*) FROM pg_database WHERE datname ~ '^cerrojo_[0-9a-f]{12}$'")) {
            row.next();
            assertThat(row.getInt(1)).isZero();
        }
    }

    private static Map<String, String> environment() {
        return Map.of("CERROJO_URL", database.jdbcUrl());
    }

    private static Ran run(String... args) {
        return Ran.with(environment(), args);
    }

    private String lostUpdate() {
        return files.file("lost.yaml", ScenarioFiles.LOST_UPDATE);
    }

    private String expectations() {
        return files.file("expectations.yaml", ScenarioFiles.LOST_UPDATE + ScenarioFiles.EXPECTATIONS);
    }

    @Test
    void aViolatedInvariantEndsWith1AndShowsTheWitness() {
        Ran ran = run("check", lostUpdate());

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .startsWith("VIOLATED: ")
                .contains("both_count violated.")
                .contains("Two sessions count at the same time")
                .contains("A committed, B committed")
                .contains("→ n = 0")
                .contains("both_count is violated (every session is counted), by 1 row:")
                .contains("Run it again:  ./cerrojo check --replay 1:");
    }

    @Test
    void anInvariantThatHoldsEndsWith0() {
        Ran ran = run("check", files.file("holds.yaml", ScenarioFiles.HOLDS));

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("HOLDS: both_count holds at the end of all ");
    }

    @Test
    void aBoundEndsWith5AndSaysWhich() {
        String file = files.file("holds.yaml", ScenarioFiles.HOLDS);

        Ran bySchedules = run("check", "--max-schedules", "1", file);
        Ran byTime = run("check", "--timeout", "1ms", file);

        assertThat(bySchedules.exitCode()).isEqualTo(5);
        assertThat(bySchedules.out()).startsWith("INCONCLUSIVE: ").contains("--max-schedules");
        assertThat(byTime.exitCode()).isEqualTo(5);
        assertThat(byTime.out()).contains("--timeout");
    }

    @Test
    void anotherIsolationLevelCanBeAskedFor() {
        Ran ran = run("check", "--isolation", "RR", lostUpdate());

        assertThat(ran.out())
                .contains("40001 (serialization failure)")
                .contains("repeatable read")
                .contains("./cerrojo check --isolation repeatable-read --replay 1:");
    }

    @Test
    void aRepairCanBeExplored() {
        Ran ran = run("check", "--repair", "one statement", expectations());

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).startsWith("HOLDS: ");
    }

    @Test
    void theWorstOfSeveralFilesCountsAndAllAreReported() {
        Ran ran = run(
                "check",
                files.file("holds.yaml", ScenarioFiles.HOLDS),
                files.file("sql.yaml", ScenarioFiles.HOLDS.replace("CREATE TABLE counter", "CREATE TABEL counter")),
                lostUpdate());

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).contains("HOLDS: ").contains("VIOLATED: ");
        assertThat(ran.err()).contains("sql.yaml:3: setup: PostgreSQL refuses this statement: syntax error");
    }

    @Test
    void sqlThatPostgresRefusesIsShownInItsPlace() {
        Ran step = run(
                "check", files.file("step.yaml", ScenarioFiles.LOST_UPDATE.replace("SELECT n FROM", "SELECT m FROM")));
        Ran invariant = run(
                "check", files.file("invariant.yaml", ScenarioFiles.LOST_UPDATE.replace("WHERE n < 2", "WHERE m < 2")));
        Ran variable = run("check", files.file("variable.yaml", ScenarioFiles.LOST_UPDATE.replace(":n + 1", ":m + 1")));

        assertThat(step.exitCode()).isEqualTo(2);
        assertThat(step.err())
                .contains("step.yaml:10: transactions.count.steps[0].read: PostgreSQL refuses this statement: column"
                        + " \"m\" does not exist (SQLSTATE 42703)");
        assertThat(invariant.exitCode()).isEqualTo(2);
        assertThat(invariant.err())
                .contains("invariant both_count: PostgreSQL refuses")
                .contains("\"m\" does not exist");
        assertThat(variable.exitCode()).isEqualTo(2);
        assertThat(variable.err())
                .contains("the variable :m is bound by nothing")
                .contains(":id, :n");
    }

    @Test
    void anInvariantThatFailsOnWhatAScheduleLeftIsAMistakeOfTheFile() {
        Ran ran = run(
                "check",
                files.file("zero.yaml", ScenarioFiles.LOST_UPDATE.replace("WHERE n < 2", "WHERE 1 / (n - 1) > 9")));

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("invariant both_count, after a schedule").contains("division by zero");
    }

    @Test
    void expectationsThatAreMetEndWith0() {
        Ran ran = run("check", "--expectations", expectations());

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out().lines())
                .hasSize(4)
                .allMatch(line -> line.startsWith("ok ") || line.equals("3 of 3 expectations met (1 file)"));
    }

    @Test
    void expectationsThatAreNotMetEndWith1EvenBesideUndecidedOnes() {
        String wrong = files.file("wrong.yaml", ScenarioFiles.LOST_UPDATE + "expect: holds\n");
        String undecided = files.file("undecided.yaml", ScenarioFiles.HOLDS + "expect: holds\n");

        Ran ran = run("check", "--expectations", "--max-schedules", "1", undecided);
        Ran both = run("check", "--expectations", "--max-schedules", "2", wrong, undecided);

        assertThat(ran.exitCode()).isEqualTo(5);
        assertThat(ran.out())
                .startsWith("?     ")
                .contains("--max-schedules")
                .endsWith("0 of 1 expectation met (1 file)\n");
        assertThat(both.exitCode()).isEqualTo(1);
        assertThat(both.out()).contains("FAIL ").contains("expected holds, found violated");
    }

    @Test
    void expectationsOfOneRepairCanBeAskedFor() {
        Ran ran = run("check", "--expectations", "--repair", "one statement", expectations());

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).endsWith("1 of 1 expectation met (1 file)\n");
    }

    @Test
    void aFileThatExpectsNothingIsReportedAndNothingAtAllIsAMistake() {
        Ran beside = run("check", "--expectations", lostUpdate(), expectations());
        Ran alone = run("check", "--expectations", lostUpdate());

        assertThat(beside.exitCode()).isZero();
        assertThat(beside.out()).contains("lost.yaml: declares no expectation").endsWith("met (2 files)\n");
        assertThat(alone.exitCode()).isEqualTo(2);
    }

    @Test
    void aReplayEndsAsTheScheduleDid() {
        JsonNode witness = run("check", "--format", "json", lostUpdate()).json().at("/files/0/check/runs/0/witness");
        String token = witness.at("/replay").asString();

        Ran text = run("check", "--replay", token, lostUpdate());
        JsonNode replay = run("check", "--format", "json", "--replay", token, lostUpdate())
                .json()
                .at("/files/0/replay");

        assertThat(text.exitCode()).isEqualTo(1);
        assertThat(text.out()).startsWith("VIOLATED: schedule " + token + " ends with both_count violated.");
        assertThat(replay.at("/schedule")).isEqualTo(witness);
    }

    @Test
    void aReplayThatHoldsEndsWith0() {
        Ran ran = run("check", "--replay", "AAA", lostUpdate());

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .containsPattern("^HOLDS HERE: schedule 1:AAABBB-[a-z2-7]{6} ends with nothing violated\\.")
                .containsPattern("The whole is:\n  ./cerrojo check --replay 1:AAABBB-[a-z2-7]{6} ");
    }

    @Test
    void aReplayThatCannotBeFollowedEndsWith5AndNamesTheStep() {
        Ran ran = run("check", "--replay", "AAAA", lostUpdate());

        assertThat(ran.exitCode()).isEqualTo(5);
        assertThat(ran.err()).contains("diverged at step 4: it is A's turn, but that session waits or is done");
    }

    @Test
    void aReplayOfARunOrSessionThatIsNotThereIsAMistake() {
        assertThat(run("check", "--replay", "2:AB", lostUpdate()))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("the run to replay must be 1 to 1, but was 2"));
        assertThat(run("check", "--replay", "1.AC:AB", lostUpdate()))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("run 1 has sessions A to B"));
    }

    @Test
    void jsonIsValidInEveryMode() {
        String holds = files.file("holds.yaml", ScenarioFiles.HOLDS);

        JsonNode check = run("check", "--format", "json", lostUpdate(), holds, "none.yaml")
                .json();
        JsonNode cases = run("check", "--format", "json", "--expectations", expectations())
                .json();

        assertThat(check.at("/exitCode").asInt()).isEqualTo(2);
        assertThat(check.at("/files/0/check/verdict").asString()).isEqualTo("violated");
        assertThat(check.at("/files/1/exitCode").asInt()).isZero();
        assertThat(check.at("/postgres/embedded").asBoolean()).isFalse();
        assertThat(cases.at("/files/0/expectations")).hasSize(3);
    }

    @Test
    void colourIsForTerminalsUnlessSaidOtherwise() {
        Map<String, String> noColor = new HashMap<>(environment());
        noColor.put("NO_COLOR", "1");
        String[] args = {"check", lostUpdate()};

        assertThat(Ran.onTerminal(environment(), args).out()).contains("\u001b[1;31mVIOLATED");
        assertThat(Ran.onTerminal(noColor, args).out()).doesNotContain("\u001b");
        assertThat(run(args).out()).doesNotContain("\u001b");
        assertThat(run("check", "--color", "always", args[1]).out()).contains("\u001b[1;31mVIOLATED");
        assertThat(Ran.onTerminal(environment(), "check", "--color=never", args[1])
                        .out())
                .doesNotContain("\u001b");
    }

    @Test
    void progressIsShownOnTerminalsAndErased() {
        String slow = files.file(
                "slow.yaml",
                ScenarioFiles.HOLDS.replace(
                        "    steps:\n",
                        "    steps:\n      - write: SELECT pg_sleep(0.1)\n      - write: SELECT pg_sleep(0.1)\n"));

        Ran onTerminal = Ran.onTerminal(environment(), "check", "--color", "never", "--max-schedules", "8", slow);
        Ran elsewhere = run("check", "--max-schedules", "8", slow);

        assertThat(onTerminal.err())
                .contains("slow.yaml: ")
                .contains(" schedules, ")
                .endsWith("\r\u001b[K");
        assertThat(elsewhere.err()).isEmpty();
        assertThat(onTerminal.out().replaceAll("[0-9.]+ s,", ""))
                .isEqualTo(elsewhere.out().replaceAll("[0-9.]+ s,", ""));
    }

    @Test
    void withoutAUrlAnEmbeddedServerIsStarted() {
        Ran ran = Ran.with(Map.of(), "check", "--format", "json", files.file("holds.yaml", ScenarioFiles.HOLDS));

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.json().at("/postgres/embedded").asBoolean()).isTrue();
        assertThat(ran.json().at("/postgres/version").asString()).startsWith("17.");
    }

    @Test
    void bothSearchesAreComparedAtEveryLevel() {
        Ran text = run("check", "--verify-reduction", files.file("count.yaml", ScenarioFiles.LOST_UPDATE));

        assertThat(text.exitCode()).isZero();
        assertThat(text.out().lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).startsWith("same ").contains("run 1 at ", " reduced "));

        Ran json = run(
                "check", "--verify-reduction", "--format", "json", files.file("count.yaml", ScenarioFiles.LOST_UPDATE));
        JsonNode comparisons = json.json().at("/files/0/reduction");

        assertThat(comparisons.size()).isEqualTo(3);
        assertThat(comparisons).allSatisfy(comparison -> {
            assertThat(comparison.at("/result").asString()).isEqualTo("equal");
            assertThat(comparison.at("/reduced/schedules").asLong())
                    .isLessThanOrEqualTo(comparison.at("/exhaustive/schedules").asLong());
            assertThat(comparison.at("/onlyExhaustive").asLong()).isZero();
        });
    }

    @Test
    void aComparisonThatGivesUpIsInconclusive() {
        Ran ran = run(
                "check",
                "--verify-reduction",
                "--max-schedules",
                "1",
                files.file("count.yaml", ScenarioFiles.LOST_UPDATE));

        assertThat(ran.exitCode()).isEqualTo(5);
        assertThat(ran.out()).contains("?  ").contains("exhaustive: stopped after 1 schedules (--max-schedules)");
    }

    @Test
    void aComparisonIsAboutEveryLevel() {
        Ran ran = run(
                "check",
                "--verify-reduction",
                "--isolation",
                "serializable",
                files.file("count.yaml", ScenarioFiles.LOST_UPDATE));

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("--verify-reduction").contains("--isolation");
    }

    @Test
    void partsTogetherSayWhatTheWholeSays() {
        String violated = files.file("count.yaml", ScenarioFiles.LOST_UPDATE);
        String holds = files.file("holds.yaml", ScenarioFiles.HOLDS);
        int violating = 0;
        for (String part : new String[] {"1/3", "2/3", "3/3"}) {
            violating += run("check", "--shard", part, violated).exitCode() == 1 ? 1 : 0;
            Ran ran = run("check", "--shard", part, holds);
            assertThat(ran.exitCode()).isZero();
            assertThat(ran.out()).contains("HOLDS IN PART " + part).contains("when all 3 parts do");
        }
        assertThat(violating).isPositive();

        JsonNode check =
                run("check", "--shard", "1/3", "--format", "json", holds).json().at("/files/0/check");
        assertThat(check.at("/shard").asString()).isEqualTo("1/3");
        assertThat(check.at("/complete").asBoolean()).isFalse();
    }

    @Test
    void whatIsRunByChanceFindsButNeverHolds() {
        Ran found = run("check", "--random", "40", "--seed", "3", files.file("count.yaml", ScenarioFiles.LOST_UPDATE));
        Ran nothing = run("check", "--random", "5", files.file("holds.yaml", ScenarioFiles.HOLDS));

        assertThat(found.exitCode()).isEqualTo(1);
        assertThat(nothing.exitCode()).isEqualTo(5);
        assertThat(nothing.out()).containsPattern("5 schedules were run by\\s+chance \\(seed \\d+\\)");
    }

    @Test
    void partsAndChanceAreAboutAWholeCheck() {
        String file = files.file("count.yaml", ScenarioFiles.LOST_UPDATE);

        assertThat(run("check", "--shard", "4/3", file).err()).contains("i/n with i from 1 to n");
        assertThat(run("check", "--shard", "1/2", "--random", "5", file).err()).contains("exclude each other");
        assertThat(run("check", "--seed", "5", file).err()).contains("--random N");
        assertThat(run("check", "--random", "0", file).err()).contains("at least 1, but was 0");
        assertThat(run("check", "--shard", "1/2", "--expectations", file).exitCode())
                .isEqualTo(2);
    }
}
