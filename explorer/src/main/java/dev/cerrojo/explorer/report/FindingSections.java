package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.report.MarkdownReport.Facts;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sections of a Markdown report about the scenario as it stands. */
final class FindingSections {
    private static final List<String> LOST = List.of("✘", "**lost from here on, in whatever order they go on**");

    private final MarkdownPage page;
    private final Facts facts;
    private final CheckResult result;
    private final Scenario scenario;
    private final Optional<ScheduleView> witness;

    FindingSections(MarkdownPage page, Facts facts) {
        this.page = page;
        this.facts = facts;
        this.result = facts.check().result();
        this.scenario = result.scenario();
        this.witness = result.shortestWitness().flatMap(RunResult::witness).map(this::view);
    }

    private ScheduleView view(RunResult.Witness shown) {
        return ScheduleView.listed(
                "", scenario, shown, Optional.of(facts.check().replayCommand(shown.token())));
    }

    void write() {
        violation();
        path();
        window();
        contract();
    }

    private void violation() {
        page.section("Invariant violation found");
        page.paragraph(MarkdownReport.verdict(facts.check()));
        page.table(
                List.of("Schedules", "Violating", "Deadlocking", "With a lock wait", "Time"),
                List.of(List.of(
                        Words.number(result.schedules()),
                        Words.number(result.violating()),
                        Words.number(result.deadlocking()),
                        Words.number(result.waiting()),
                        Words.duration(facts.check().elapsed()))));
        witness.ifPresent(schedule -> schedule.ends().forEach(this::rows));
        if (witness.isEmpty()) {
            page.paragraph("No schedule is shown, because none that was run violates it.");
        }
    }

    private void rows(ScheduleView.RowsView rows) {
        page.paragraph(Markdown.text(rows.sentence().text()));
        if (!rows.columns().isEmpty()) {
            page.table(
                    rows.columns().stream().map(Markdown::code).toList(),
                    rows.rows().stream()
                            .map(row -> row.stream().map(Markdown::code).toList())
                            .toList());
        }
        if (rows.more() > 0) {
            page.paragraph("and " + Words.number(rows.more()) + " more.");
        }
    }

    private void path() {
        page.section("Transaction path");
        page.paragraph(
                "What the transactions do, step by step. Each runs as one transaction unless it says otherwise.");
        scenario.transactions().values().forEach(this::transaction);
        page.paragraph("They were run at once like this:");
        List<List<String>> rows = new ArrayList<>();
        scenario.runs()
                .forEach(run ->
                        rows.add(List.of(String.valueOf(rows.size() + 1), Markdown.text(CheckText.sessions(run)))));
        page.table(List.of("Run", "Sessions"), rows);
    }

    private void transaction(TransactionSpec transaction) {
        page.heading(Markdown.code(transaction.name() + "(" + String.join(", ", transaction.params()) + ")"));
        List<String> circumstances = new ArrayList<>();
        circumstances.add("at " + transaction.isolation().sql().toUpperCase(java.util.Locale.ROOT));
        transaction.scope().ifPresent(scope -> circumstances.add("scope " + Markdown.code(scope)));
        if (transaction.retry() > 0) {
            circumstances.add("run again up to " + Words.count(transaction.retry(), "time", "times"));
        }
        if (!transaction.atomic()) {
            circumstances.add("**every step commits by itself**");
        }
        page.paragraph(String.join(", ", circumstances) + ":");
        List<List<String>> rows = new ArrayList<>();
        for (Step step : transaction.steps()) {
            rows.add(step(rows.size() + 1, step));
        }
        page.table(List.of("", "Step", "SQL"), rows);
    }

    private static List<String> step(int number, Step step) {
        String place = String.valueOf(number);
        if (step instanceof Step.Read read) {
            return List.of(place, "read", Markdown.code(read.sql().text()));
        } else if (step instanceof Step.Check check) {
            return List.of(
                    place,
                    "check, else " + Markdown.code(check.refusalName()),
                    Markdown.code(check.sql().text()));
        } else if (step instanceof Step.Write write) {
            return List.of(
                    place,
                    write.autonomous() ? "write, on a connection of its own" : "write",
                    Markdown.code(write.sql().text()));
        }
        return List.of(place, "commit, and begin another transaction", "");
    }

    private void window() {
        page.section("Concurrency window");
        if (witness.isEmpty()) {
            page.paragraph("None was found: "
                    + (result.verdict() == Verdict.HOLDS
                            ? "no schedule violates an invariant."
                            : "but not every schedule was run."));
            return;
        }
        ScheduleView schedule = witness.orElseThrow();
        page.paragraph("The shortest schedule that violates it. Time goes downwards; a column is a session.");
        page.table(heads(schedule.lanes()), turns(schedule.lanes(), lostAfter()));
        page.paragraph(doom());
        schedule.replay()
                .ifPresent(command ->
                        page.paragraph("Run exactly this schedule again:").code("sh", command));
    }

    private String doom() {
        return facts.doom()
                .map(found -> "**The window.** " + Markdown.text(ScheduleView.sentence(found)))
                .orElse(
                        "From which turn on it is lost was not decided: there were too many ways to go on from its turns"
                                + " to run them all.");
    }

    private static List<String> heads(Lanes lanes) {
        List<String> heads = new ArrayList<>(List.of("Turn"));
        for (int i = 0; i < lanes.heads().size(); i++) {
            List<String> lines = new ArrayList<>();
            for (Phrase line : lanes.heads().get(i)) {
                lines.add(lines.size() % 2 == 0 ? Markdown.code(line.text()) : Markdown.text(line.text()));
            }
            heads.add(lanes.letter(i) + ": " + String.join("<br>", lines));
        }
        return heads;
    }

    /** {@return the turn after which nothing can save it; one that there is not, when that is not known} */
    private int lostAfter() {
        return facts.doom().map(Doom::after).orElse(Integer.MAX_VALUE);
    }

    private static List<List<String>> turns(Lanes lanes, int lostAfter) {
        List<List<String>> rows = new ArrayList<>();
        boolean lost = false;
        for (Lanes.Turn turn : lanes.turns()) {
            if (turn.number() > lostAfter && !lost) {
                lost = true;
                rows.add(LOST);
            }
            List<String> row = new ArrayList<>(List.of(String.valueOf(turn.number())));
            for (int session = 0; session < lanes.heads().size(); session++) {
                row.add(cell(turn, session));
            }
            rows.add(row);
        }
        List<String> ends = new ArrayList<>(List.of("end"));
        lanes.outcomes().forEach(outcome -> ends.add("**" + Markdown.text(outcome.text()) + "**"));
        rows.add(ends);
        return rows;
    }

    private static String cell(Lanes.Turn turn, int session) {
        return turn.cells().stream()
                .filter(cell -> cell.session() == session)
                .findFirst()
                .map(FindingSections::lines)
                .orElse("");
    }

    /** What a session does stands first; then what it was told. */
    private static String lines(Lanes.Cell cell) {
        List<String> lines = new ArrayList<>();
        for (Phrase line : cell.lines()) {
            boolean sql = lines.isEmpty() && cell.mark() != Lanes.Mark.GOES_ON;
            lines.add(sql ? Markdown.code(line.text()) : Markdown.text(line.text()));
        }
        return String.join("<br>", lines);
    }

    private void contract() {
        page.section("Invariant contract");
        scenario.invariants().forEach(this::contract);
    }

    private void contract(Invariant invariant) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Name", Markdown.code(invariant.name())));
        if (!invariant.says().isBlank()) {
            rows.add(List.of("Rule", Markdown.text(invariant.says())));
        }
        rows.add(List.of("Scope", scope(invariant)));
        invariant.where().ifPresent(where -> rows.add(List.of("Applies where", Markdown.code(where))));
        rows.add(List.of(
                "Tables it reads",
                String.join(
                        ", ",
                        facts.around().tables().stream().map(Markdown::code).toList())));
        page.table(List.of("", ""), rows);
        page.paragraph("It holds when this query returns no row:");
        page.code("sql", invariant.violationSql());
    }

    private static String scope(Invariant invariant) {
        return invariant.scope() instanceof Scope.Table table
                ? "one instance per row of " + Markdown.code(table.table()) + ", by " + Markdown.code(table.key())
                : "global: one instance for the whole database";
    }
}
