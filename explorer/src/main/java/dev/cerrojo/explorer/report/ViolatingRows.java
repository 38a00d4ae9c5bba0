package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.invariant.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Draws the rows that violate an invariant at the end of a schedule. */
final class ViolatingRows {
    private static final int LONGEST_VALUE = 60;

    private ViolatingRows() {}

    static void draw(Page page, Scenario scenario, Execution execution) {
        draw(page, violation -> says(scenario, violation), execution);
    }

    static void draw(Page page, Function<Violation, String> says, Execution execution) {
        for (Violation violation : execution.violations()) {
            page.blank();
            page.paragraph(2, sentence(violation, says.apply(violation)));
            if (!violation.columns().isEmpty()) {
                page.table(4, table(page.look(), violation));
            }
            if (violation.count() > violation.rows().size()) {
                page.line("    and "
                        + Words.number(violation.count() - violation.rows().size()) + " more");
            }
        }
    }

    static Phrase sentence(Violation violation, String says) {
        return Phrase.of("At the end ")
                .and(Tone.BAD, violation.invariant() + " is violated")
                .and(inWords(says) + by(violation));
    }

    private static String inWords(String says) {
        return says.isBlank() ? "" : " (" + Printable.of(says) + ")";
    }

    /** {@return the violated rule in words; may be empty} */
    static String says(Scenario scenario, Violation violation) {
        return scenario.invariants().stream()
                .filter(invariant -> invariant.name().equals(violation.invariant()))
                .map(Invariant::says)
                .findFirst()
                .orElse("");
    }

    private static String by(Violation violation) {
        return ", by " + Words.count(violation.count(), "row:", "rows:");
    }

    static List<List<Phrase>> table(Look look, Violation violation) {
        List<List<Phrase>> rows = new ArrayList<>();
        rows.add(violation.columns().stream()
                .map(column -> Phrase.of(Tone.STRONG, Printable.of(column)))
                .toList());
        List<Phrase> rule = new ArrayList<>();
        for (int i = 0; i < violation.columns().size(); i++) {
            rule.add(Phrase.of(Tone.FAINT, look.horizontal().repeat(width(violation, i))));
        }
        rows.add(rule);
        for (List<String> row : violation.rows()) {
            rows.add(row.stream().map(value -> Phrase.of(shown(value))).toList());
        }
        return rows;
    }

    private static int width(Violation violation, int column) {
        int widest = DisplayWidth.of(Printable.of(violation.columns().get(column)));
        for (List<String> row : violation.rows()) {
            widest = Math.max(widest, DisplayWidth.of(shown(row.get(column))));
        }
        return widest;
    }

    static String shown(@org.jspecify.annotations.Nullable String value) {
        if (value == null) {
            return "NULL";
        }
        String text = Printable.of(value);
        return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text;
    }
}
