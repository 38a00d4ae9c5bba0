package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.project.Project;
import dev.cerrojo.explorer.repair.RepairReport;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.stress.Pass;
import dev.cerrojo.explorer.stress.Stress;
import dev.cerrojo.explorer.stress.StressReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MarkdownReportTest {
    private static final List<String> SECTIONS = List.of(
            "Project and database detected",
            "Invariant violation found",
            "Transaction path",
            "Concurrency window",
            "Invariant contract",
            "Repair",
            "Two-transaction test",
            "Isolation test",
            "Retry and deadlock test",
            "Files modified",
            "Commands executed",
            "Validation",
            "Remaining risks",
            "Important notes");

    private static final String HOSTILE = "SELECT '`' || \"a|b\" \\| '</td><script>x</script>' -- ``` @nobody";

    private static Pass pass(String protection, List<Violation> violations) {
        return new Pass(
                protection,
                8,
                57,
                40,
                3,
                Map.of(),
                21,
                48,
                Map.of("40001", 31, "40P01", 12),
                new Pass.Injected(11, 31),
                57,
                new Pass.SideEffects(57, 0, 0, 0),
                new Pass.SideEffects(99, 39, 3, 0),
                violations,
                Duration.ofMillis(700));
    }

    private static StressReport stress() {
        return new StressReport(
                Stress.standard(),
                20,
                Optional.empty(),
                Optional.empty(),
                List.of(pass("", List.of(Found.NOBODY_ON_CALL)), pass("touch", List.of())));
    }

    private static Project project(String path) {
        return new Project(
                "rota",
                Map.of(Project.Kind.BUILD_TOOL, List.of(new Project.Fact("Maven", "pom.xml", ""))),
                List.of("on_call"),
                List.of(new Project.Writer(path, Project.Use.PROGRAM, List.of(new Project.Write(4, "rota.save()")))),
                7,
                List.of("x.sql was left out: it is larger than a megabyte."));
    }

    private static Circumstances circumstances(Optional<Project> project, Optional<StressReport> stress) {
        return new Circumstances(
                "an embedded one",
                List.of("on_call", "shift"),
                project,
                stress,
                stress.isPresent() ? Optional.empty() : Optional.of("no candidate is recommended"),
                List.of(),
                List.of("./cerrojo", "repair", "--markdown", "out file.md", "examples/on-call.yaml"));
    }

    private static String document(RepairReport repair, Circumstances around) {
        MarkdownReport report = new MarkdownReport("0.1.0");
        report.add(
                new CheckReport(repair.base(), "17.11", Duration.ofSeconds(2), List.of()),
                repair,
                Optional.of(new Doom(3, 3)),
                around);
        return report.document();
    }

    private static String whole() {
        return document(Repairs.report(), circumstances(Optional.of(project("src/Rota.java")), Optional.of(stress())));
    }

    @Test
    void hasItsSectionsInTheirOrder() {
        Parsed parsed = Parsed.of(whole());

        assertThat(parsed.headings(1)).containsExactly("The last two doctors of a shift leave at the same time");
        assertThat(parsed.headings(2)).isEqualTo(SECTIONS);
        assertThat(parsed.foreignMarkup()).isEmpty();
        assertThat(parsed.tables()).allSatisfy(table -> assertThat(table).hasSize(1));
    }

    @Test
    void saysWhatWasCounted() {
        Parsed parsed = Parsed.of(whole());

        assertThat(parsed.seen())
                .contains("100 operations over 20 scopes were run by Cerrojo's Transactions, 8 at a time")
                .contains("1 file found in 7 source files")
                .contains(
                        "Run one after another, as the file stands, the same operations violate no invariant at any time");
        assertThat(parsed.cells())
                .contains("57", "12", "21 operations, 48 times", "✘ on_call_coverage: 1 violating row", "none")
                .contains("src/Rota.java", "rota.save()", "Maven", "PostgreSQL 17.11")
                .contains("lost from here on, in whatever order they go on");
        assertThat(whole()).contains("./cerrojo repair --markdown 'out file.md' examples/on-call.yaml\n");
    }

    @Test
    void saysWhatWasNotDone() {
        String text = Parsed.of(document(Repairs.report(), circumstances(Optional.empty(), Optional.empty())))
                .seen();

        assertThat(text)
                .contains("No project was given (--project DIR)")
                .contains("It was not run: no candidate is recommended.")
                .contains("None but this report.")
                .contains("native-constraint was not tried: PostgreSQL has no constraint for this rule.")
                .contains("Not decided, because a bound was hit: lock-read-rows at SERIALIZABLE.");
    }

    @Test
    void tellsWhatRepairsCost() {
        Parsed parsed = Parsed.of(document(Repairs.priced(), circumstances(Optional.empty(), Optional.empty())));

        assertThat(parsed.seen()).contains(PriceWords.HEADING, "the embedded server (PostgreSQL 17.11)");
        assertThat(parsed.cells())
                .containsAll(PriceWords.LOAD_HEADS)
                .contains("unguarded", "touch")
                .anyMatch(cell -> cell.startsWith("0.93"));
    }

    @Test
    void aScenarioThatHoldsNeedsNothing() {
        RepairReport holds = new RepairReport(
                new Found().in(Found.scenario()),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        Parsed parsed = Parsed.of(document(holds, circumstances(Optional.empty(), Optional.empty())));

        assertThat(parsed.headings(2)).isEqualTo(SECTIONS);
        assertThat(parsed.seen()).contains("None is needed: the invariant holds as the file stands.");
    }

    @Test
    void nothingOfAScenarioBecomesMarkup() {
        Found found = new Found()
                .violated(
                        1,
                        new TraceBuilder()
                                .turn('A', HOSTILE, "a='|`<i>'")
                                .returns('A', 1, "`x|", "</code>|")
                                .commits('A')
                                .turn('B', HOSTILE, "")
                                .fails('B', "23505", HOSTILE)
                                .commits('B')
                                .ending(new Violation(
                                        "covered", List.of("`a|b`"), List.of(List.of("<img src=x>| `")), 1)));
        RepairReport repair = new RepairReport(
                found.in(hostile()),
                List.of(Repairs.ofTheUser(1, HOSTILE, new Found(), Optional.empty())),
                Optional.empty(),
                Optional.of(HOSTILE),
                Optional.empty(),
                Optional.of(HOSTILE));

        Parsed parsed = Parsed.of(
                document(repair, circumstances(Optional.of(project("a|b/`<script>`.java")), Optional.of(stress()))));

        assertThat(parsed.headings(2)).isEqualTo(SECTIONS);
        assertThat(parsed.headings(1)).containsExactly("| a `title` <script>");
        assertThat(parsed.foreignMarkup()).isEmpty();
        assertThat(parsed.tables()).allSatisfy(table -> assertThat(table).hasSize(1));
        assertThat(parsed.cells())
                .contains(HOSTILE, "a|b/`<script>`.java", "`a|b`", "<img src=x>| `")
                .anySatisfy(cell -> assertThat(cell).startsWith(HOSTILE + " with a='|`<i>'"));
    }

    private static Scenario hostile() {
        return ScenarioReader.read("a|`b`.yaml", """
                title: "| a `title` <script>"
                transactions:
                  leave:
                    steps:
                      - write: %s
                run: [ "leave()", "leave()" ]
                invariant:
                  name: covered
                  says: "*every* | `row` <b>"
                  violated_by: |
                    SELECT '```' AS "|"
                    WHERE false
                """.formatted("|\n          " + HOSTILE));
    }

    @Test
    void severalFilesAreOneDocument() {
        MarkdownReport report = new MarkdownReport("0.1.0");
        report.addFailure("a|b.yaml", "it has no `run`");
        report.addFailure("b.yaml", "```");

        assertThat(Parsed.of(report.document()).headings(1))
                .containsExactly("Nothing was found of a|b.yaml", "Nothing was found of b.yaml");
    }
}
