package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.jdbc.Interleavings.Question;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.Sample;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.search.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Says what was found. A verdict claims no more than was run. */
final class Sentences {
    private final List<Question> questions;
    private final int sessions;
    private final Set<String> coarse;
    private final Fault.Budget faults;
    private final Optional<Sample> sample;

    /**
     * Begins.
     *
     * @param coarse what was less than every statement a step, in words
     * @param faults how many may have befallen the sessions
     * @param sample what was run by chance, if not all
     */
    Sentences(
            List<Question> questions, int sessions, Set<String> coarse, Fault.Budget faults, Optional<Sample> sample) {
        this.questions = List.copyOf(questions);
        this.sessions = sessions;
        this.coarse = new TreeSet<>(coarse);
        this.faults = faults;
        this.sample = sample;
    }

    Findings findings(Exploration exploration, boolean reduced, String postgres, Optional<Findings.Example> example) {
        boolean vain = exploration.verdict() == Verdict.HOLDS && exploration.committing() == 0;
        return new Findings(
                vain ? Verdict.INCONCLUSIVE : exploration.verdict(),
                exploration.schedules(),
                vain ? vain(exploration) : sentence(exploration, reduced, example),
                example,
                limits(postgres));
    }

    Findings replayed(Findings.Example example, String postgres) {
        List<Violation> violations = example.execution().violations();
        boolean violated = !violations.isEmpty();
        String ends = violated ? names(violations) + " violated" : "nothing violated";
        return new Findings(
                violated ? Verdict.VIOLATED : Verdict.HOLDS,
                1,
                (violated ? "VIOLATED" : "HOLDS HERE") + ": the replayed schedule " + example.token() + " ends with "
                        + ends + "; no other was run.",
                Optional.of(example),
                limits(postgres));
    }

    private String sentence(Exploration exploration, boolean reduced, Optional<Findings.Example> example) {
        return switch (exploration.verdict()) {
            case VIOLATED -> violated(exploration, example.orElseThrow());
            case HOLDS ->
                "HOLDS: " + all() + " in every order of the steps of " + sessions + " sessions" + withFaults()
                        + " (complete at statement"
                        + " granularity, " + (coarse.isEmpty() ? "" : "but " + String.join(" and ", coarse) + ", ")
                        + schedules(exploration.schedules())
                        + (reduced ? " run, one of each class that no one can tell apart)." : " run).");
            case INCONCLUSIVE ->
                "INCONCLUSIVE: no violation of " + all() + " in " + schedules(exploration.schedules())
                        + withFaults() + ", but that was not all of them: "
                        + reason(exploration);
        };
    }

    private String violated(Exploration exploration, Findings.Example example) {
        String names = names(example.execution().violations());
        if (exploration.serialViolation()) {
            return "VIOLATED: " + names + " already when the sessions run one after another: this is not a race.";
        }
        boolean one = exploration.violating() == 1;
        return "VIOLATED: " + exploration.violating() + " of " + schedules(exploration.schedules())
                + (one ? " ends with " : " end with ") + names + " violated"
                + (exploration.exhausted() ? "." : "; not every schedule was run: " + reason(exploration));
    }

    private String reason(Exploration exploration) {
        return exploration
                        .reason()
                        .orElse("the search was ended early")
                        .concat(seed(exploration))
                        .replace("--max-schedules", "maxSchedules")
                        .replace("--timeout", "timeoutSeconds")
                + ".";
    }

    /** A bound may have ended the search before it could say where its chance came from. */
    private String seed(Exploration exploration) {
        return sample.filter(some -> !exploration.reason().orElse("").contains("(seed "))
                .map(some -> ", of " + some.schedules() + " schedules by chance (seed " + some.seed() + ")")
                .orElse("");
    }

    private String withFaults() {
        List<String> some = new ArrayList<>();
        if (faults.crashes() > 0) {
            some.add(faults.crashes() + (faults.crashes() == 1 ? " crash" : " crashes"));
        }
        if (faults.lostAnswers() > 0) {
            some.add(faults.lostAnswers() + (faults.lostAnswers() == 1 ? " lost answer" : " lost answers"));
        }
        return some.isEmpty() ? "" : ", with up to " + String.join(" and ", some);
    }

    private String vain(Exploration exploration) {
        return "INCONCLUSIVE: in none of " + schedules(exploration.schedules()) + " does any session commit, so "
                + all() + " is never put to the test.";
    }

    private static String schedules(long count) {
        return count + (count == 1 ? " schedule" : " schedules");
    }

    private static String names(List<Violation> violations) {
        return violations.stream().map(Violation::invariant).distinct().collect(Collectors.joining(" and "));
    }

    private String all() {
        return questions.stream().map(Question::name).collect(Collectors.joining(" and "));
    }

    private static String limits(String postgres) {
        return "What happens inside one statement or COMMIT is one step here; code that shares memory in Java"
                + " is run as its locks let it, and not in every order. Only these sessions and these rows took part, on"
                + " PostgreSQL " + postgres + ".";
    }
}
