package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.TestDatabase;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RepairCommandPostgresTest {
    private static TestDatabase database;

    @TempDir
    private static Path folder;

    private static String file;

    @BeforeAll
    static void server() {
        database = TestDatabase.create();
        file = new ScenarioFiles(folder).file("counter.yaml", ScenarioFiles.LOST_UPDATE + ScenarioFiles.EXPECTATIONS);
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    private static Ran run(String... args) {
        return Ran.with(Map.of("CERROJO_URL", database.jdbcUrl()), args);
    }

    @Test
    void triesEveryCandidateAndRecommendsOne() {
        Ran ran = run("repair", "--no-gates", "--no-cost", file);

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .startsWith("VIOLATED: ")
                .contains("The file expects violated: met")
                .contains("    touch  ")
                .contains("    share-lock  ")
                .contains("user-1  ✔ holds     one statement")
                .contains("expected does_not_hold: ")
                .contains("Recommendation: ")
                .doesNotContain("What the repairs cost");
    }

    @Test
    void measuresWhatRepairsCost() {
        Ran text = run("repair", "--no-gates", "--cost-time", "100ms", "--cost-clients", "2", file);
        Ran json = run("repair", "--no-gates", "--cost-time", "100ms", "--format", "json", file);
        JsonNode prices = json.json().at("/files/0/repair/prices");

        assertThat(text.exitCode()).isZero();
        assertThat(text.out())
                .contains("What the repairs cost that hold\n  2 clients on your server (PostgreSQL ")
                .contains("All 2 at once in one scope\n")
                .contains("  • A call makes ");
        assertThat(prices.at("/clients").asInt()).isEqualTo(8);
        assertThat(prices.at("/unguarded/hot/committed").asInt()).isPositive();
        assertThat(prices.at("/candidates").size()).isPositive();
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThat(run("repair", "--cost-clients", "17", file).err())
                .contains("--cost-clients must be 1 to 16, but was 17");
        assertThat(run("repair", "--no-cost", "--cost-time", "1s", file).err())
                .contains("--no-cost excludes --cost-time");
    }

    @Test
    void jsonIsValidAndTheExitCodeFollowsTheExpectations() {
        String wrong = new ScenarioFiles(folder).file("wrong.yaml", ScenarioFiles.HOLDS + "expect: violated\n");

        Ran ran = run("repair", "--no-gates", "--format", "json", wrong);
        JsonNode repair = ran.json().at("/files/0/repair");

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(repair.at("/judgement").asString()).isEqualTo("not_met");
        assertThat(repair.at("/candidates").size()).isGreaterThan(15);
    }

    @Test
    void explainsOneCandidate() {
        Ran known = run("repair", "--explain", "share-lock", file);
        Ran ofTheFile = run("repair", "--explain", "one statement", file);

        assertThat(known.exitCode()).isZero();
        assertThat(known.out())
                .contains("(share-lock)\n")
                .contains("What it changes\n  count:\n    + write: ")
                .contains("READ COMMITTED: ")
                .contains("REPEATABLE READ: ");
        assertThat(ofTheFile.out())
                .contains("    - read: SELECT n FROM counter WHERE id = :id\n")
                .contains("As declared: ✔ holds");
    }

    @Test
    void aCandidateThatIsNotThereIsNamedWithTheNearest() {
        Ran ran = run("repair", "--explain", "tuch", file);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("has no candidate \"tuch\"; did you mean touch?")
                .contains("user-1, user-2");
    }

    @Test
    void withoutExpectationsTheVerdictCounts() {
        String plain = new ScenarioFiles(folder).file("plain.yaml", ScenarioFiles.LOST_UPDATE);

        Ran ran = run("repair", "--no-gates", "--no-cost", "--max-schedules", "20", plain);

        assertThat(ran.exitCode()).isEqualTo(1);
    }
}
