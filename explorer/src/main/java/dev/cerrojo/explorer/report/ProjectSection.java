package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.project.Project;
import dev.cerrojo.explorer.project.Project.Kind;
import dev.cerrojo.explorer.project.Project.Use;
import dev.cerrojo.explorer.project.Project.Writer;
import dev.cerrojo.explorer.report.MarkdownReport.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The section of a Markdown report that says what was looked at. */
final class ProjectSection {
    private static final int MOST_LINES = 6;

    private final MarkdownPage page;
    private final Facts facts;

    ProjectSection(MarkdownPage page, Facts facts) {
        this.page = page;
        this.facts = facts;
    }

    void write() {
        page.section("Project and database detected");
        List<List<String>> rows = new ArrayList<>();
        facts.around().project().ifPresent(project -> rows.addAll(rows(project)));
        rows.add(List.of(
                "Database",
                "PostgreSQL " + Markdown.text(facts.check().postgres()),
                "asked of the server: " + Markdown.text(facts.around().server())));
        page.table(List.of("", "Detected", "By"), rows);
        if (facts.around().project().isPresent()) {
            writers(facts.around().project().orElseThrow());
        } else {
            page.paragraph("No project was given (" + Markdown.code("--project DIR")
                    + "), so nothing is known of the code that runs these transactions.");
        }
    }

    private static List<List<String>> rows(Project project) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Project", Markdown.code(project.folder()), ""));
        for (Kind kind : Kind.values()) {
            List<Project.Fact> found = project.facts().getOrDefault(kind, List.of());
            found.forEach(fact -> rows.add(List.of(words(kind), Markdown.text(fact.value()), evidence(fact))));
            if (found.isEmpty()) {
                rows.add(List.of(words(kind), "unknown", "nothing that is known names one"));
            }
        }
        return rows;
    }

    private static String evidence(Project.Fact fact) {
        String path = Markdown.code(fact.path());
        return fact.by().isEmpty() ? path : Markdown.code(fact.by()) + " in " + path;
    }

    private static String words(Kind kind) {
        return switch (kind) {
            case BUILD_TOOL -> "Build tool";
            case FRAMEWORK -> "Framework";
            case ORM -> "ORM";
            case DRIVER -> "Database driver";
            case MIGRATIONS -> "Migrations";
        };
    }

    private void writers(Project project) {
        String tables = project.tables().stream().map(Markdown::code).collect(Collectors.joining(", "));
        page.heading("Source files that write the guarded tables");
        List<Writer> program = of(project, Use.PROGRAM);
        page.paragraph("Paths that write " + tables + ", which the invariant reads, must go through the guard. "
                + (program.isEmpty() ? "None was found" : Words.count(program.size(), "file", "files") + " found")
                + " in " + Words.count(project.filesRead(), "source file", "source files")
                + ", by text search: it may miss some (statements put together at run time, changed entities that are"
                + " flushed, other services), and may list some that write nothing.");
        if (!program.isEmpty()) {
            page.table(
                    List.of("File", "Line", "What was found"),
                    program.stream().map(ProjectSection::row).toList());
        }
        beside(project, Use.MIGRATION, "Migrations that write them too");
        beside(project, Use.TEST, "Tests that write them too");
    }

    private static List<Writer> of(Project project, Use use) {
        return project.writers().stream().filter(writer -> writer.use() == use).toList();
    }

    private static List<String> row(Writer writer) {
        List<String> lines = writer.writes().stream()
                .limit(MOST_LINES)
                .map(write -> String.valueOf(write.line()))
                .collect(Collectors.toCollection(ArrayList::new));
        List<String> what = writer.writes().stream()
                .limit(MOST_LINES)
                .map(write -> Markdown.code(write.what()))
                .collect(Collectors.toCollection(ArrayList::new));
        if (writer.writes().size() > MOST_LINES) {
            what.add("and " + (writer.writes().size() - MOST_LINES) + " more");
        }
        return List.of(Markdown.code(writer.path()), String.join("<br>", lines), String.join("<br>", what));
    }

    private void beside(Project project, Use use, String heading) {
        List<Writer> writers = of(project, use);
        if (!writers.isEmpty()) {
            page.paragraph(heading + ": "
                    + writers.stream()
                            .limit(MOST_LINES)
                            .map(writer -> Markdown.code(writer.path()))
                            .collect(Collectors.joining(", "))
                    + (writers.size() > MOST_LINES ? " and " + (writers.size() - MOST_LINES) + " more" : "") + ".");
        }
    }
}
