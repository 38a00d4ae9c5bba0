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

/** {@code repair --markdown}. */
class MarkdownReportPostgresTest {
    private static TestDatabase database;

    @TempDir
    private static Path folder;

    private static String file;

    @BeforeAll
    static void server() {
        database = TestDatabase.create();
        file = new ScenarioFiles(folder).file("counter.yaml", ScenarioFiles.LOST_UPDATE);
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    private static Ran run(String... args) {
        return Ran.with(Map.of("CERROJO_URL", database.jdbcUrl()), args);
    }

    @Test
    void isWrittenWithWhatTheProjectAndTheRetryTestSay() throws IOException {
        Path report = folder.resolve("new folder/report.md");
        Files.writeString(folder.resolve("pom.xml"), "<project><artifactId>rota</artifactId></project>");
        Files.writeString(folder.resolve("Count.java"), "String sql = \"UPDATE counter SET n = 1\";\n");

        Ran ran = run(
                "repair",
                "--no-gates",
                "--url",
                database.jdbcUrl(),
                "--markdown",
                report.toString(),
                "--project",
                folder.toString(),
                "--operations",
                "10",
                "--scopes",
                "3",
                "--sarif",
                folder.resolve("findings.sarif").toString(),
                file);

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err()).isEmpty();
        assertThat(Files.readString(report))
                .startsWith("# Two sessions count at the same time\n")
                .contains("| Build tool | Maven | `pom.xml` |")
                .contains("| `Count.java` | 1 | `UPDATE counter` |")
                .contains("**10 operations over 1 scope** were run by ")
                .contains("There is one scope only: ")
                .contains(
                        "**What is violated at the end says nothing here**: the invariant does not hold before they begin")
                .contains("## Files modified\n\n- ")
                .contains("./cerrojo repair --no-gates --url ")
                .doesNotContain("password=")
                .contains("\n## Important notes\n");
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        String report = folder.resolve("none.md").toString();

        assertThat(run("repair", "--project", folder.toString(), file).err())
                .contains("--markdown FILE, which is missing");
        Ran missing = run("repair", "--markdown", report, "--project", report + "/none", file);
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("--project must be a folder, but there is none at ");
        assertThat(run("repair", "--markdown", report, "--project", file, file).err())
                .contains("but is none: ");
        assertThat(run("repair", "--markdown", report, "--operations", "1", file)
                        .err())
                .contains("--operations of a retry test must be 2 to 10,000, but was 1");
        assertThat(run("repair", "--markdown", report, "--explain", "touch", file)
                        .exitCode())
                .isEqualTo(2);
        assertThat(run("check", "--markdown", report, file).exitCode()).isEqualTo(2);
        assertThat(Path.of(report)).doesNotExist();
    }

    @Test
    void aFileOfWhichNothingIsFoundIsInItToo() throws IOException {
        Path report = folder.resolve("broken.md");
        String broken = new ScenarioFiles(folder).file("broken.yaml", "title: t\nrun: []\n");

        Ran ran = run("repair", "--markdown", report.toString(), broken);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(Files.readString(report)).startsWith("# Nothing was found of `");
    }
}
