package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Draws what a repair changes in a scenario: its transactions' steps with what comes and goes, and what its setup gains. */
final class ScenarioChanges {
    private final Page page;

    private ScenarioChanges(Page page) {
        this.page = page;
    }

    static void draw(Page page, Scenario before, Scenario after) {
        ScenarioChanges changes = new ScenarioChanges(page);
        changes.setup(before.setup(), after.setup());
        after.transactions()
                .forEach((name, spec) ->
                        changes.transaction(before.transactions().get(name), spec));
        changes.runs(sessions(before), sessions(after));
        if (!before.invariants().equals(after.invariants())) {
            page.paragraph(2, Phrase.of("The invariant is another one."));
        }
    }

    private static List<List<Session>> sessions(Scenario scenario) {
        return scenario.runs().stream().map(Run::sessions).toList();
    }

    private void runs(List<List<Session>> before, List<List<Session>> after) {
        if (!before.equals(after)) {
            page.paragraph(2, Phrase.of("Other sessions run at once:"));
            after.forEach(run -> page.paragraph(
                    "    + ",
                    Phrase.of(
                            Tone.GOOD,
                            Printable.of(run.stream().map(Session::toString).collect(Collectors.joining(" | "))))));
        }
    }

    private void setup(String before, String after) {
        if (before.strip().equals(after.strip())) {
            return;
        }
        boolean appended = after.startsWith(before);
        page.paragraph(2, Phrase.of(appended ? "After the setup:" : "The setup is now:"));
        String shown = appended ? after.substring(before.length()) : after;
        Printable.lines(shown)
                .lines()
                .forEach(line -> page.line(Phrase.of("    ").and(Tone.GOOD, (appended ? "+ " : "  ") + line)));
    }

    private void transaction(@Nullable TransactionSpec before, TransactionSpec after) {
        List<String> attributes = attributes(before, after);
        List<String> old = before == null ? List.of() : steps(before);
        if (attributes.isEmpty() && old.equals(steps(after))) {
            return;
        }
        String what = attributes.isEmpty() ? "" : " (" + String.join(", ", attributes) + ")";
        page.paragraph(2, Phrase.of(Tone.STRONG, Printable.of(after.name())).and(what + ":"));
        if (!old.equals(steps(after))) {
            lines(old, steps(after));
        }
    }

    /** What else of a transaction changes; its isolation is what is tried, and is no change of the candidate's. */
    private static List<String> attributes(@Nullable TransactionSpec before, TransactionSpec after) {
        List<String> attributes = new ArrayList<>();
        if (before == null) {
            return List.of("new");
        }
        if (before.retry() != after.retry()) {
            attributes.add("retry: " + after.retry());
        }
        if (before.atomic() != after.atomic()) {
            attributes.add(after.atomic() ? "all steps in one transaction" : "every step commits by itself");
        }
        return attributes;
    }

    private static List<String> steps(TransactionSpec spec) {
        return spec.steps().stream().map(ScenarioChanges::step).toList();
    }

    private static String step(Step step) {
        if (step instanceof Step.Statement statement) {
            String kind = step instanceof Step.Read ? "read" : step instanceof Step.Write ? "write" : "check";
            String refusal = step instanceof Step.Check check
                    ? check.refusal().map(name -> "  else " + name).orElse("")
                    : "";
            String autonomous = statement.autonomous() ? " (autonomous)" : "";
            return kind + autonomous + ": " + statement.sql().text().strip() + refusal;
        }
        return "commit";
    }

    /** Draws the longest common subsequence, and between its steps what goes and what comes. */
    private void lines(List<String> before, List<String> after) {
        int[][] common = common(before, after);
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            boolean same =
                    i < before.size() && j < after.size() && before.get(i).equals(after.get(j));
            if (same) {
                line("  ", Tone.FAINT, before.get(i++));
                j++;
            } else if (i < before.size() && (j == after.size() || common[i + 1][j] >= common[i][j + 1])) {
                line("- ", Tone.BAD, before.get(i++));
            } else {
                line("+ ", Tone.GOOD, after.get(j++));
            }
        }
    }

    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private void line(String mark, Tone tone, String step) {
        page.paragraph("    " + mark, Phrase.of(tone, Printable.lines(step)));
    }
}
