package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.repair.RepairReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a repair found, as one document of GitHub-flavored Markdown, fit for an issue or a pull request.
 *
 * <pre>{@code
 * MarkdownReport report = new MarkdownReport("0.1.0");
 * report.add(check, repair, Optional.empty(), circumstances);
 * Files.writeString(file, report.document());
 * }</pre>
 *
 * <p>Not safe for use by several threads.
 */
public final class MarkdownReport {
    private final String version;
    private final List<String> parts = new ArrayList<>();

    /**
     * Begins a report.
     *
     * @param version the version of Cerrojo
     */
    public MarkdownReport(String version) {
        this.version = version;
    }

    /** All that a file's part is made of. */
    record Facts(CheckReport check, RepairReport repair, Optional<Doom> doom, Circumstances around) {}

    /**
     * Adds what was found of a file.
     *
     * @param check what was found in the scenario as it stands: the repair's own base
     * @param repair what was found of its repairs
     * @param doom from when on the base's shortest witness is lost, if that is known
     * @param around what else is told
     */
    public void add(CheckReport check, RepairReport repair, Optional<Doom> doom, Circumstances around) {
        MarkdownPage page = new MarkdownPage();
        Facts facts = new Facts(check, repair, doom, around);
        head(page, facts);
        new ProjectSection(page, facts).write();
        new FindingSections(page, facts).write();
        new RepairSections(page, facts).write();
        new StressSection(page, facts).write();
        new ClosingSections(page, facts).write();
        parts.add(page.toString());
    }

    private void head(MarkdownPage page, Facts facts) {
        page.title(Markdown.text(facts.check().result().scenario().title()));
        List<String> first = new ArrayList<>();
        first.add(verdict(facts.check()));
        facts.repair()
                .recommendation()
                .ifPresent(recommended -> first.add("Recommended: **"
                        + Markdown.text(recommended.candidate().name()) + "** ("
                        + Markdown.code(recommended.candidate().id()) + ")."));
        page.quote(first);
        page.paragraph("Cerrojo " + Markdown.text(version) + " on PostgreSQL "
                + Markdown.text(facts.check().postgres()) + ", from "
                + Markdown.code(facts.check().result().scenario().file())
                + ". Every number in this report was measured or counted in one run of the command below.");
    }

    static String verdict(CheckReport check) {
        Phrase sentence = VerdictSentence.of(check.result());
        String word = sentence.spans().get(0).text();
        return "**" + word + "**" + Markdown.text(sentence.text().substring(word.length()));
    }

    /**
     * Adds a file of which nothing was found.
     *
     * @param file the file as it was named
     * @param message why
     */
    public void addFailure(String file, String message) {
        parts.add(new MarkdownPage()
                .title("Nothing was found of " + Markdown.code(file))
                .code("", message)
                .toString());
    }

    /** {@return the document} */
    public String document() {
        return String.join("\n---\n\n", parts);
    }
}
