package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.repair.CandidateResult;
import dev.cerrojo.explorer.repair.Cell;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Draws candidates that were tried at several isolation levels: a row for each, in sections. */
final class CandidateTable {
    static final String LEGEND =
            "scopes wait: transactions of two different scopes wait for each other. adds: statements per transaction, at most."
                    + " new errors: SQLSTATEs that callers did not see before, and where (of the levels where it holds).";

    static final String LEGEND_INSIDE =
            " " + CellPhrase.INSIDE + ": only inside of a statement or COMMIT; --explain shows it.";

    private final Page page;
    private final List<List<Phrase>> rows = new ArrayList<>();
    private boolean hasInside;

    CandidateTable(Page page) {
        this.page = page;
    }

    CandidateTable section(String heading, List<CandidateResult> results) {
        if (!results.isEmpty()) {
            rows.add(rows.isEmpty() ? heads(heading) : List.of(Phrase.EMPTY));
            if (rows.size() > 1) {
                rows.add(List.of(strong(heading)));
            }
            results.forEach(result -> rows.add(row(result, page.look())));
            hasInside |=
                    results.stream().flatMap(result -> result.cells().stream()).anyMatch(CellPhrase::isOnlyInside);
        }
        return this;
    }

    void draw() {
        if (!rows.isEmpty()) {
            page.blank();
            page.table(2, rows);
            page.blank();
            page.paragraph(2, Phrase.of(Tone.FAINT, LEGEND + (hasInside ? LEGEND_INSIDE : "")));
        }
    }

    private static List<Phrase> heads(String heading) {
        return List.of(
                strong(heading),
                strong("  RC"),
                strong("  RR"),
                strong("  SER"),
                strong("deadlocks"),
                strong("scopes wait"),
                strong("adds"),
                strong("new errors"));
    }

    private static Phrase strong(String text) {
        return Phrase.of(Tone.STRONG, text);
    }

    private static List<Phrase> row(CandidateResult result, Look look) {
        List<Phrase> row = new ArrayList<>();
        row.add(Phrase.of("  " + result.candidate().id()));
        for (Isolation level : Isolation.values()) {
            row.add(cell(result, level).map(cell -> CellPhrase.of(cell, look)).orElse(CellPhrase.notTried(look)));
        }
        row.addAll(facts(result, look));
        return row;
    }

    static Optional<Cell> cell(CandidateResult result, Isolation level) {
        return result.cells().stream()
                .filter(cell -> cell.isolation().equals(level.sql()))
                .findFirst();
    }

    /** {@return what stands behind the levels: deadlocks, waits across scopes, statements added, and new errors} */
    static List<Phrase> facts(CandidateResult result, Look look) {
        return List.of(
                Phrase.of(deadlocks(result, look)),
                Phrase.of(scopes(result, look)),
                Phrase.of(extraStatements(result, look)),
                Phrase.of(newErrors(result, look)));
    }

    /** Of the levels where it holds: elsewhere the search stopped at the first violation. */
    private static String deadlocks(CandidateResult result, Look look) {
        List<String> levels = holding(result).stream()
                .filter(cell -> cell.result().deadlocking() > 0)
                .map(cell -> CellPhrase.initials(cell.isolation()))
                .toList();
        return holding(result).isEmpty() ? look.notTried() : levels.isEmpty() ? "no" : String.join("+", levels);
    }

    private static String scopes(CandidateResult result, Look look) {
        if (holding(result).isEmpty()) {
            return look.notTried();
        }
        return result.blocksOtherScopes().map(blocks -> blocks ? "yes" : "no").orElse("?");
    }

    private static String extraStatements(CandidateResult result, Look look) {
        return result.extraStatements().isPresent()
                ? String.format("%+d", result.extraStatements().getAsInt()).replace("+0", "0")
                : look.notTried();
    }

    private static String newErrors(CandidateResult result, Look look) {
        TreeSet<String> states = new TreeSet<>();
        holding(result).forEach(cell -> states.addAll(cell.newSqlStates()));
        if (holding(result).isEmpty()) {
            return look.notTried();
        }
        return states.isEmpty()
                ? "no"
                : String.join(
                        ", ",
                        states.stream()
                                .map(state -> state + ":" + at(result, state))
                                .toList());
    }

    private static String at(CandidateResult result, String state) {
        return String.join(
                "+",
                holding(result).stream()
                        .filter(cell -> cell.newSqlStates().contains(state))
                        .map(cell -> CellPhrase.initials(cell.isolation()))
                        .toList());
    }

    private static List<Cell> holding(CandidateResult result) {
        return result.cells().stream().filter(Cell::holds).toList();
    }
}
