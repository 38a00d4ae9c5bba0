package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that commands write beside what they print. */
class FileOptionsPostgresTest {
    private static TestDatabase database;

    @TempDir
    private static Path folder;

    private static String violated;

    @BeforeAll
    static void server() {
        database = TestDatabase.create();
        violated =
                new ScenarioFiles(folder).file("counter.yaml", ScenarioFiles.LOST_UPDATE + ScenarioFiles.EXPECTATIONS);
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    private static Ran run(String... args) {
        return Ran.with(Map.of("CERROJO_URL", database.jdbcUrl()), args);
    }

    @Test
    void oneCheckWritesEveryFormat() throws IOException {
        Path html = folder.resolve("new folder/report.html");
        Path junit = folder.resolve("junit.xml");
        Path sarif = folder.resolve("findings.sarif");

        Ran ran = run(
                "check",
                "--json",
                "--html",
                html.toString(),
                "--junit-xml",
                junit.toString(),
                "--sarif",
                sarif.toString(),
                violated);

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.json().at("/files/0/check/verdict").asString()).isEqualTo("violated");
        assertThat(Files.readString(html)).contains("It is lost after turn ", "both_count: every session is counted");
        assertThat(Files.readString(junit)).contains("failures=\"1\"", "type=\"invariant-violated\"", "line=\"12\"");
        assertThat(Files.readString(sarif)).contains("\"ruleId\" : \"invariant-violated\"", "\"startLine\" : 12");
    }

    @Test
    void expectationsAreCases() throws IOException {
        Path junit = folder.resolve("expectations.xml");

        Ran ran = run("check", "--expectations", "--junit-xml", junit.toString(), violated);

        assertThat(ran.exitCode()).isZero();
        assertThat(Files.readString(junit))
                .contains("tests=\"3\" failures=\"0\" errors=\"0\"")
                .contains("as it stands: expected violated")
                .contains("REPEATABLE READ without retry");
    }

    @Test
    void aFileThatCannotBeReadIsAFinding() throws IOException {
        Path sarif = folder.resolve("broken.sarif");
        String broken = new ScenarioFiles(folder).file("broken.yaml", "title: t\nrun: []\n");

        Ran ran = run("check", "--sarif", sarif.toString(), broken);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(Files.readString(sarif)).contains("\"ruleId\" : \"failed\"");
    }

    @Test
    void aWorkflowIsToldInItsOwnWords() throws IOException {
        Path summary = Files.writeString(folder.resolve("summary.md"), "before\n");
        Map<String, String> workflow = Map.of(
                "CERROJO_URL", database.jdbcUrl(), "GITHUB_ACTIONS", "true", "GITHUB_STEP_SUMMARY", summary.toString());

        Ran ran = Ran.with(workflow, "check", violated);

        assertThat(ran.err())
                .startsWith("::error file=")
                .contains(",line=12,title=Cerrojo%3A invariant-violated::run: A count");
        assertThat(Files.readString(summary)).startsWith("before\n### Cerrojo check: 1 of 1 case did not pass\n");
        assertThat(run("check", violated).err()).isEmpty();
    }

    @Test
    void whatHasNoPageSaysSo() {
        String page = folder.resolve("none.html").toString();

        assertThat(run("check", "--html", page, "--expectations", violated).exitCode())
                .isEqualTo(2);
        assertThat(run("repair", "--html", page, "--explain", "touch", violated).exitCode())
                .isEqualTo(2);
        assertThat(run("check", "--html", page, "--replay", "AABB", violated).err())
                .contains("--html is about a check");
    }

    @Test
    void aFileThatCannotBeWrittenIsTheEnvironments() {
        Ran ran = run("check", "--html", violated + "/report.html", violated);

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.err()).contains("cannot write ");
    }
}
