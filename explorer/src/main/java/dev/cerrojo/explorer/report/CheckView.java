package dev.cerrojo.explorer.report;

import dev.cerrojo.explorer.check.CheckResult;
import dev.cerrojo.explorer.check.Doom;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.report.Style.Tone;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.invariant.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an HTML report shows of a scenario as it stands.
 *
 * @param tone the verdict's tone, as the style sheet calls it
 * @param symbol a sign for the verdict
 * @param verdict the verdict in a word or two
 * @param sentence the rest of its sentence
 * @param rules what must hold, each in words
 * @param facts numbers, each with what it counts
 * @param heading what the schedule shown is
 * @param schedule the schedule shown, if any is worth it
 * @param deadlock the command that shows a deadlock, where another schedule is shown
 * @param runs how the schedules of each run ended
 * @param notes what else is to be said of how it was explored
 * @param limits what it does not show
 */
record CheckView(
        String tone,
        String symbol,
        String verdict,
        String sentence,
        List<String> rules,
        List<Fact> facts,
        String heading,
        Optional<ScheduleView> schedule,
        Optional<String> deadlock,
        List<RunView> runs,
        List<Phrase> notes,
        List<String> limits) {
    /** A number, and what it counts. */
    record Fact(String number, String what, String tone) {}

    /** How the schedules of a run ended. */
    record RunView(String title, List<List<Phrase>> endings) {}

    static CheckView of(String id, CheckReport report, Optional<Doom> doom) {
        CheckResult result = report.result();
        Phrase sentence = VerdictSentence.of(result);
        Phrase.Span word = sentence.spans().get(0);
        Optional<Example> example = example(result);
        return new CheckView(
                HtmlTones.of(word),
                symbol(word.tone()),
                word.text(),
                rest(result, sentence),
                rules(result),
                facts(report),
                example.map(Example::heading).orElse(""),
                example.map(shown -> ScheduleView.drawn(
                        id + "-schedule",
                        result.scenario(),
                        shown.witness(),
                        doom,
                        Optional.of(report.replayCommand(shown.witness().token())))),
                example.filter(shown -> !shown.witness().execution().trace().deadlocked())
                        .flatMap(shown -> RunExamples.deadlock(result))
                        .map(deadlock -> report.replayCommand(deadlock.token())),
                result.runs().stream().map(run -> run(result, run)).toList(),
                notes(result, doom),
                Limits.sentences(result.verdict(), "scenario", report.postgres()));
    }

    private static String symbol(Tone tone) {
        return switch (tone) {
            case BAD -> Look.plain().violated();
            case GOOD -> Look.plain().holds();
            default -> "?";
        };
    }

    /** What stands behind the verdict's colon, as a sentence of its own; a name at its begin stays as it is. */
    private static String rest(CheckResult result, Phrase sentence) {
        String text = sentence.spans().stream().skip(1).map(Phrase.Span::text).collect(Collectors.joining());
        String rest = text.replaceFirst("^: ", "");
        boolean named =
                result.scenario().invariants().stream().map(Invariant::name).anyMatch(rest::startsWith);
        return named ? rest : rest.substring(0, 1).toUpperCase(Locale.ROOT) + rest.substring(1);
    }

    private static List<String> rules(CheckResult result) {
        return result.scenario().invariants().stream().map(CheckView::rule).toList();
    }

    private static String rule(Invariant invariant) {
        return invariant.name() + (invariant.says().isBlank() ? "" : ": " + Printable.of(invariant.says()));
    }

    private static List<Fact> facts(CheckReport report) {
        CheckResult result = report.result();
        return List.of(
                new Fact(Words.number(result.schedules()), result.schedules() == 1 ? "schedule" : "schedules", ""),
                new Fact(Words.number(result.violating()), "violating", result.violating() > 0 ? "bad" : ""),
                new Fact(Words.number(result.deadlocking()), "deadlocking", result.deadlocking() > 0 ? "warning" : ""),
                new Fact(Words.number(result.waiting()), "with a lock wait", ""),
                new Fact(Words.duration(report.elapsed()), "on PostgreSQL " + report.postgres(), ""));
    }

    /** A schedule worth showing. */
    private record Example(String heading, RunResult.Witness witness) {}

    private static Optional<Example> example(CheckResult result) {
        return result.shortestWitness()
                .flatMap(RunResult::witness)
                .map(witness -> new Example("The shortest schedule that breaks it", witness))
                .or(() -> RunExamples.anomaly(result)
                        .map(witness ->
                                new Example("The shortest schedule that ends as no serial order does", witness)))
                .or(() -> RunExamples.deadlock(result)
                        .map(witness -> new Example("The shortest schedule that deadlocks", witness)));
    }

    private static RunView run(CheckResult result, RunResult run) {
        boolean twoOracles = run.exploration().serial().judged() > 0
                && !result.scenario().invariants().isEmpty();
        return new RunView(
                "Run " + run.number() + ": " + CheckText.sessions(run.run()),
                CheckText.endings(run.exploration().endings(), twoOracles));
    }

    private static List<Phrase> notes(CheckResult result, Optional<Doom> doom) {
        List<Phrase> notes = new ArrayList<>();
        if (result.verdict() == Verdict.VIOLATED) {
            result.reasons().forEach(reason -> notes.add(Phrase.of("Left out: " + Printable.of(reason) + ".")));
            if (doom.isEmpty()) {
                notes.add(Phrase.of(
                        "From which turn on the schedule shown is lost was not decided: there were too many ways to"
                                + " go on from its turns to run them all."));
            }
        }
        if (result.runs().stream().anyMatch(run -> run.exploration().reduced())) {
            notes.add(Phrase.of(CheckText.REDUCED));
        }
        CheckText.faultsSentence(result.scenario().faults()).ifPresent(text -> notes.add(Phrase.of(text)));
        notes.addAll(SerialPhrases.sentences(result.serial()));
        if (result.serial().aborts().schedules() > 0) {
            notes.add(SerialPhrases.sentence(result.serial().aborts()));
        }
        if (!result.sqlStates().isEmpty()) {
            notes.add(Phrase.of("Sessions failed with SQLSTATE " + Words.sqlStates(result.sqlStates().stream()) + "."));
        }
        return notes;
    }
}
