package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.scenario.Faults;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@link CheckReport} as text: the verdict first, then how often, then the shortest witness. */
public final class CheckText {
    static final String REDUCED = "One schedule stands for all that differ only in the order of independent steps.";

    private final CheckReport report;
    private final CheckResult result;
    private final Page page;

    private CheckText(CheckReport report, Page page) {
        this.report = report;
        this.result = report.result();
        this.page = page;
    }

    /**
     * Writes a report.
     *
     * @param report what was found
     * @param look how it looks
     * @return lines, each ended
     */
    public static String of(CheckReport report, Look look) {
        Page page = new Page(look);
        CheckText text = new CheckText(report, page);
        text.summary();
        text.example();
        text.limits();
        return page.toString();
    }

    /** Writes all but the timeline and the limits. */
    static void summary(CheckReport report, Page page) {
        new CheckText(report, page).summary();
    }

    private void summary() {
        page.paragraph("", VerdictSentence.of(result));
        page.paragraph(2, Phrase.of(Tone.FAINT, Printable.of(result.scenario().file()) + ": " + title()));
        counts();
        if (result.verdict() == Verdict.VIOLATED) {
            result.reasons().forEach(reason -> page.paragraph(2, Phrase.of("Left out: " + Printable.of(reason) + ".")));
        }
        faultsSentence(result.scenario().faults()).ifPresent(text -> page.paragraph(2, Phrase.of(text)));
        SerialPhrases.draw(page, result.serial());
        SerialPhrases.drawAborts(page, result.serial().aborts());
        for (RunResult run : result.runs()) {
            endings(run);
        }
        if (!result.sqlStates().isEmpty()) {
            page.blank();
            page.paragraph(
                    2, Phrase.of("Sessions failed with SQLSTATE " + Words.sqlStates(result.sqlStates().stream())));
        }
    }

    private String title() {
        return Printable.of(result.scenario().title());
    }

    private void counts() {
        page.blank();
        Phrase line = Phrase.of(Words.schedules(result.schedules()) + " explored: ")
                .and(result.violating() > 0 ? Tone.BAD : Tone.NORMAL, result.violating() + " violating")
                .and(", ")
                .and(result.deadlocking() > 0 ? Tone.WARNING : Tone.NORMAL, result.deadlocking() + " deadlocking")
                .and(", " + result.waiting() + " with a lock wait (" + Words.duration(report.elapsed())
                        + ", PostgreSQL " + report.postgres() + ")");
        page.paragraph(2, line);
        if (result.runs().stream().anyMatch(run -> run.exploration().reduced())) {
            page.paragraph(2, Phrase.of(Tone.FAINT, REDUCED));
        }
    }

    /** {@return what could befall the clients, in a sentence; empty when nothing could} */
    static Optional<String> faultsSentence(Faults faults) {
        List<String> what = new ArrayList<>();
        if (faults.crash() > 0) {
            what.add(Words.count(faults.crash(), "crash", "crashes"));
        }
        if (faults.lostAnswer() > 0) {
            what.add(Words.count(faults.lostAnswer(), "lost answer", "lost answers"));
        }
        return what.isEmpty()
                ? Optional.empty()
                : Optional.of("Faults: up to " + Words.list(what, "and") + ", at every step"
                        + (faults.clientRetries() ? "; the client then runs its session again." : "."));
    }

    private void endings(RunResult run) {
        page.blank();
        if (result.scenario().runs().size() > 1) {
            page.paragraph(2, Phrase.of(Tone.STRONG, "Run " + run.number()).and(": " + sessions(run.run())));
        }
        page.table(
                2,
                endings(
                        run.exploration().endings(),
                        run.exploration().serial().judged() > 0
                                && !result.scenario().invariants().isEmpty()));
    }

    /** {@return a table of how schedules ended, violations first; with two oracles, what each says} */
    static List<List<Phrase>> endings(Map<Execution.Ending, Long> endings, boolean twoOracles) {
        List<List<Phrase>> rows = new ArrayList<>();
        endings.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Execution.Ending, Long> entry) ->
                                !entry.getKey().violated())
                        .thenComparing(entry -> !entry.getKey().anomalous())
                        .thenComparing(Map.Entry.<Execution.Ending, Long>comparingByValue()
                                .reversed())
                        .thenComparing(entry -> outcomes(entry.getKey())))
                .forEach(entry -> rows.add(ending(entry.getKey(), entry.getValue(), twoOracles)));
        return rows;
    }

    private static List<Phrase> ending(Execution.Ending ending, long count, boolean twoOracles) {
        return List.of(
                Phrase.of(outcomes(ending)),
                Phrase.of(String.format("%6s", Words.number(count))),
                found(ending, twoOracles));
    }

    private static Phrase found(Execution.Ending ending, boolean twoOracles) {
        if (ending.violated()) {
            return Phrase.of(Tone.BAD, "VIOLATED")
                    .and(twoOracles && !ending.anomalous() ? ", though a serial order ends so" : "");
        }
        return ending.anomalous() ? Phrase.of(Tone.WARNING, "not serializable") : Phrase.EMPTY;
    }

    private static String outcomes(Execution.Ending ending) {
        List<String> outcomes = new ArrayList<>();
        for (int i = 0; i < ending.outcomes().size(); i++) {
            outcomes.add(Words.letter(i) + " " + Words.outcome(ending.outcomes().get(i)));
        }
        return String.join(", ", outcomes);
    }

    static String sessions(Run run) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < run.sessions().size(); i++) {
            entries.add(
                    Words.letter(i) + " " + Printable.of(run.sessions().get(i).toString()));
        }
        return String.join(", ", entries);
    }

    /** The shortest witness; without one, the shortest anomaly, or deadlock. */
    private void example() {
        Optional<RunResult.Witness> witness = result.shortestWitness().flatMap(RunResult::witness);
        if (witness.isPresent()) {
            page.heading("The shortest schedule that violates it:");
            shown(witness.orElseThrow());
            deadlock()
                    .filter(deadlock ->
                            !deadlock.token().equals(witness.orElseThrow().token()))
                    .ifPresent(this::pointAt);
        } else if (anomaly().isPresent()) {
            page.heading("The shortest schedule that ends as no serial order does:");
            shown(anomaly().orElseThrow());
            deadlock().ifPresent(this::pointAt);
        } else if (deadlock().isPresent()) {
            page.heading("The shortest schedule that deadlocks:");
            shown(deadlock().orElseThrow());
        }
    }

    private Optional<RunResult.Witness> anomaly() {
        return RunExamples.anomaly(result);
    }

    private void shown(RunResult.Witness shown) {
        page.blank();
        Timeline.draw(page, result.scenario(), shown.run(), shown.execution());
        if (!result.scenario().invariants().isEmpty()) {
            ViolatingRows.draw(page, result.scenario(), shown.execution());
        }
        if (!shown.execution().isViolation() || result.scenario().invariants().isEmpty()) {
            SerialPhrases.drawAnomaly(page, shown.execution());
        }
        page.blank();
        page.line(Phrase.of("Run it again:  ").and(Tone.STRONG, report.replayCommand(shown.token())));
    }

    private void pointAt(RunResult.Witness deadlock) {
        page.line(Phrase.of("See a deadlock: ").and(Tone.STRONG, report.replayCommand(deadlock.token())));
    }

    private Optional<RunResult.Witness> deadlock() {
        return RunExamples.deadlock(result);
    }

    private void limits() {
        Limits.draw(page, result, report.postgres());
    }
}
