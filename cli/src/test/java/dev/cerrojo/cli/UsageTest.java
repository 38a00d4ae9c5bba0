package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines and files that are wrong. No server is started for them: the one that is named does not exist. */
class UsageTest {
    private static final Map<String, String> NO_SERVER =
            Map.of("CERROJO_URL", "jdbc:postgresql://127.0.0.1:1/none?user=me&password=geheim");

    @TempDir
    private Path folder;

    private ScenarioFiles files;

    @BeforeEach
    void folder() {
        files = new ScenarioFiles(folder);
    }

    private static Ran run(String... args) {
        return Ran.with(NO_SERVER, args);
    }

    @Test
    void withoutACommandSaysWhichThereAre() {
        Ran ran = run();

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains("Usage: cerrojo")
                .contains("check")
                .contains("repair")
                .contains("130 interrupted");
    }

    @Test
    void helpAndVersionAreNoMistakes() {
        assertThat(run("--help").exitCode()).isZero();
        assertThat(run("check", "--help").out()).contains("--isolation=LEVEL").contains("--replay=SCHEDULE");
        assertThat(run("repair", "-h").out()).contains("--explain=CANDIDATE");
        assertThat(run("help", "repair").out()).contains("--explain=CANDIDATE");
        assertThat(run("--version").out()).startsWith("cerrojo ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    chek a.yaml                                 | unknown command chek: did you mean check?
                    frobnicate                                  | unknown command frobnicate (known: check, guard, help, margins, ownership, repair, schema)
                    check --isolaton=rc a.yaml                  | unknown option --isolaton: did you mean --isolation?
                    check --zzzzzzzz a.yaml                     | unknown option --zzzzzzzz (known: --
                    repair --explian touch a.yaml               | unknown option --explian: did you mean --explain?
                    check                                       | FILE
                    check --isolation read-comitted a.yaml      | read-committed, repeatable-read or serializable, but was "read-comitted"
                    check --replay AB% a.yaml                   | a schedule to replay looks like 1:AABB
                    check --timeout 5 a.yaml                    | a positive whole number and a unit: 500ms, 30s, 5m or 1h, but was "5"
                    check --timeout 0s a.yaml                   | but was "0s"
                    check --max-schedules 0 a.yaml              | --max-schedules must be at least 1, but was 0
                    check --max-schedules many a.yaml           | --max-schedules
                    check --format xml a.yaml                   | --format
                    check --color red a.yaml                    | --color
                    check --expectations --isolation rc a.yaml  | --expectations and --isolation exclude each other
                    check --expectations --replay AB a.yaml     | --replay and --expectations exclude each other
                    check --replay AB a.yaml b.yaml             | --replay is about one file, but 2 were given
                    """)
    void mistakesAreNamed(String line, String message) {
        Ran ran = run(line.strip().split(" +"));

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("error: ").contains(message).doesNotContain("\tat ");
    }

    @Test
    void whatDependsOnTheServerIsCheckedBeforeItIsStarted() {
        String file = files.file("a.yaml", ScenarioFiles.HOLDS);

        assertThat(run("check", "--postgres", "13", file).err()).contains("--postgres must be 14 to 18, but was 13");
        assertThat(run("check", "--postgres", "15", "--url", "jdbc:postgresql://x/y", file)
                        .err())
                .contains("--url and --postgres exclude each other");
        assertThat(run("check", "--url", "jdbc:mysql://x/y?password=geheim", file))
                .satisfies(ran -> assertThat(ran.exitCode()).isEqualTo(2))
                .satisfies(
                        ran -> assertThat(ran.err()).contains("must look like").doesNotContain("geheim"));
    }

    @Test
    void aServerThatCannotBeReachedIsNamedWithoutItsPassword() {
        Ran ran = run("check", files.file("a.yaml", ScenarioFiles.HOLDS));

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.err())
                .startsWith("error: the server at jdbc:postgresql://127.0.0.1:1/none cannot be used: ")
                .doesNotContain("geheim")
                .doesNotContain("\tat ");
    }

    @Test
    void filesThatCannotBeReadAreNamed() {
        Ran ran = run("check", folder.resolve("none.yaml").toString(), folder.toString());

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("none.yaml: no such file\n").contains("is a directory, not a file");
    }

    @Test
    void badYamlIsShownWithItsLine() {
        Ran ran = run(
                "check",
                files.file("bad.yaml", ScenarioFiles.HOLDS.replace("watches:", "wathces:")),
                files.file("worse.yaml", "a: [1, 2\nb: 3\n"));

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("bad.yaml:17: ")
                .contains("did you mean \"watches\"?")
                .contains("worse.yaml:2: is not valid YAML");
    }

    @Test
    void aBadFileIsReportedAndTheServerFailsForTheGoodOne() {
        Ran ran = run("check", files.file("bad.yaml", "a: 1"), files.file("good.yaml", ScenarioFiles.HOLDS));

        assertThat(ran.exitCode()).isEqualTo(3);
    }

    @Test
    void failuresAreInTheJsonToo() {
        Ran ran = run("check", "--format", "json", "none.yaml");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.json().at("/files/0/error/message").asString()).isEqualTo("none.yaml: no such file");
        assertThat(ran.json().at("/exitCode").asInt()).isEqualTo(2);
        assertThat(ran.json().at("/postgres").isNull()).isTrue();
    }

    @Test
    void aRepairThatIsNotThereIsNamedWithTheNearest() {
        String file = files.file("a.yaml", ScenarioFiles.LOST_UPDATE + ScenarioFiles.EXPECTATIONS);

        Ran ran = run("check", "--repair", "one statment", file);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .contains("a.yaml: has no repair \"one statment\"; did you mean \"one statement\"?")
                .contains("it has: one statement\n");
        assertThat(run("check", "--repair", "x", files.file("b.yaml", ScenarioFiles.HOLDS))
                        .err())
                .contains("has no repair \"x\" (it has none)");
    }

    @Test
    void stackTracesAreShownWhenAskedFor() {
        assertThat(run("check", "--stacktrace", "none.yaml").err()).contains("\tat dev.cerrojo.");
    }
}
