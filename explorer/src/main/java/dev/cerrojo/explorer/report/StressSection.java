package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.report.MarkdownReport.Facts;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.stress.Pass;
import dev.cerrojo.explorer.stress.Stress;
import dev.cerrojo.explorer.stress.StressReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The section of a Markdown report about many operations at once. */
final class StressSection {
    private final MarkdownPage page;
    private final Facts facts;

    StressSection(MarkdownPage page, Facts facts) {
        this.page = page;
        this.facts = facts;
    }

    void write() {
        page.section("Retry and deadlock test");
        facts.around()
                .stress()
                .ifPresentOrElse(
                        this::counted,
                        () -> page.paragraph("It was not run: "
                                + Markdown.text(facts.around().noStress().orElse("nobody asked for it")) + "."));
    }

    private void counted(StressReport report) {
        page.paragraph("**" + Words.count(report.asked().operations(), "operation", "operations") + " over "
                + Words.count(report.scopes(), "scope", "scopes")
                + "** were run by Cerrojo's "
                + Markdown.code("Transactions") + ", " + report.last().clients()
                + " at a time on connections of their own, with up to " + Stress.MAX_ATTEMPTS
                + " attempts each. The operations of a scope waited for each other before their first write, so that they"
                + " overlap. Lock-order conflicts and failures were injected alike in each column. All of it was counted"
                + " while it ran.");
        report.oneScope().ifPresent(why -> page.paragraph("There is one scope only: " + Markdown.text(why) + "."));
        List<String> heads = new ArrayList<>(List.of(""));
        report.passes().forEach(pass -> heads.add(head(pass)));
        page.table(heads, rows(report));
        page.paragraph(alone(report));
        page.paragraph("Side effects are counted twice on purpose: left to " + Markdown.code("afterCommit")
                + ", and done inside of the transaction at once, as a control. The latter are what a retry repeats.");
    }

    private static String head(Pass pass) {
        return pass.protection().isEmpty() ? "as the file stands" : "with " + Markdown.code(pass.protection());
    }

    private static List<List<String>> rows(StressReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(report, "**invariants violated at the end**", StressSection::violations));
        rows.add(row(report, "committed, as callers were told", pass -> Words.number(pass.committed())));
        rows.add(row(report, "committed, as the database counts", pass -> Words.number(pass.ledger())));
        rows.add(row(report, "refused, by a check or a guard", pass -> Words.number(pass.refused())));
        rows.add(row(report, "retries exhausted", pass -> Words.number(pass.exhausted())));
        rows.add(row(report, "ended with another error", pass -> states(pass.failed())));
        rows.add(row(
                report,
                "run again",
                pass -> Words.count(pass.rerun(), "operation", "operations") + ", "
                        + Words.count(pass.retries(), "time", "times")));
        rows.add(row(
                report,
                "lock-order conflicts injected",
                pass -> Words.number(pass.injected().lockOrders())));
        rows.add(row(report, "deadlock victims seen (40P01)", pass -> Words.number(pass.deadlockVictims())));
        rows.add(row(
                report,
                "failures injected (40001)",
                pass -> Words.number(pass.injected().failures())));
        rows.add(row(report, "errors that statements saw, all told", pass -> states(pass.errors())));
        rows.add(row(report, "side effects by " + Markdown.code("afterCommit"), pass -> effects(pass.afterCommit())));
        rows.add(row(report, "the same, done inside of the transaction", pass -> effects(pass.inside())));
        rows.add(row(report, "time", pass -> Words.duration(pass.elapsed())));
        return rows;
    }

    private static List<String> row(StressReport report, String what, Function<Pass, String> count) {
        List<String> row = new ArrayList<>(List.of(what));
        report.passes().forEach(pass -> row.add(count.apply(pass)));
        return row;
    }

    private static String states(Map<String, Integer> states) {
        return states.isEmpty()
                ? "0"
                : states.entrySet().stream()
                        .map(state -> Words.sqlState(state.getKey()) + ": " + Words.number(state.getValue()))
                        .collect(Collectors.joining("<br>"));
    }

    private static String effects(Pass.SideEffects effects) {
        return Words.number(effects.done()) + ", **" + Words.number(effects.duplicates()) + " duplicate**<br>"
                + Words.count(effects.uncommitted(), "operation", "operations") + " with one and no commit<br>"
                + Words.count(effects.missing(), "commit", "commits") + " without one";
    }

    private static String violations(Pass pass) {
        return pass.violations().isEmpty()
                ? "**none**"
                : pass.violations().stream().map(StressSection::violation).collect(Collectors.joining("<br>"));
    }

    static String violation(Violation violation) {
        return "✘ " + Markdown.code(violation.invariant()) + ": "
                + Words.count(violation.count(), "violating row", "violating rows");
    }

    private static String alone(StressReport report) {
        if (report.unjudged().isPresent()) {
            return "**What is violated at the end says nothing here**: "
                    + Markdown.text(report.unjudged().orElseThrow()) + ".";
        }
        boolean violated =
                report.passes().stream().anyMatch(pass -> !pass.violations().isEmpty());
        return "Run one after another, as the file stands, the same operations violate no invariant at any time"
                + (violated ? ": what is violated above is the doing of their running at once." : ".");
    }
}
