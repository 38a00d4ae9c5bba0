package dev.cerrojo.explorer.check;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.SerialTally;
import dev.cerrojo.explorer.search.Shard;
import dev.cerrojo.explorer.search.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * What checking a scenario found.
 *
 * @param scenario the scenario
 * @param runs the runs that were explored, in order; not all of them when the goal was reached before
 * @param complete whether every run was explored
 * @param shard which part of each run; of a part that holds, nothing follows for the others
 */
public record CheckResult(Scenario scenario, List<RunResult> runs, boolean complete, Shard shard) {
    /** Copies the list. */
    public CheckResult {
        runs = List.copyOf(runs);
    }

    /**
     * Of the whole.
     *
     * @param scenario the scenario
     * @param runs the runs that were explored, in order
     * @param complete whether every run was explored
     */
    public CheckResult(Scenario scenario, List<RunResult> runs, boolean complete) {
        this(scenario, runs, complete, Shard.WHOLE);
    }

    /** {@return the verdict over all runs} */
    public Verdict verdict() {
        if (violating() > 0) {
            return Verdict.VIOLATED;
        }
        boolean exhausted =
                complete && runs.stream().allMatch(run -> run.exploration().exhausted());
        return exhausted ? Verdict.HOLDS : Verdict.INCONCLUSIVE;
    }

    /** {@return why it is inconclusive: what each run that was not explored to its end says} */
    public List<String> reasons() {
        return runs.stream()
                .flatMap(run -> run.exploration().reason().stream())
                .distinct()
                .toList();
    }

    /** {@return the schedules run} */
    public long schedules() {
        return sum(Exploration::schedules);
    }

    /** {@return the schedules that ended in a violation} */
    public long violating() {
        return sum(Exploration::violating);
    }

    /** {@return the schedules with a deadlock} */
    public long deadlocking() {
        return sum(Exploration::deadlocking);
    }

    /** {@return the schedules in which a session waited for another} */
    public long waiting() {
        return sum(Exploration::waiting);
    }

    /** {@return the schedules in which some session committed} */
    public long committing() {
        return sum(Exploration::committing);
    }

    /** {@return what the oracle that needs no invariant says of all runs; its witness is of the first run that has one} */
    public SerialTally serial() {
        List<SerialTally> tallies =
                runs.stream().map(run -> run.exploration().serial()).toList();
        return new SerialTally(
                sum(exploration -> exploration.serial().judged()),
                sum(exploration -> exploration.serial().anomalous()),
                sum(exploration -> exploration.serial().undecided()),
                tallies.stream().flatMap(tally -> tally.witness().stream()).findFirst(),
                tallies.stream().map(SerialTally::aborts).reduce(Aborts.NONE, Aborts::with),
                tallies.stream()
                        .flatMap(tally -> tally.doubts().stream())
                        .distinct()
                        .toList());
    }

    private long sum(ToLongFunction<Exploration> count) {
        return runs.stream().map(RunResult::exploration).mapToLong(count).sum();
    }

    /** {@return the SQLSTATEs that sessions ended with} */
    public SortedSet<String> sqlStates() {
        SortedSet<String> states = new TreeSet<>();
        runs.forEach(run -> states.addAll(run.exploration().sqlStates()));
        return states;
    }

    /** {@return the run with the shortest witness} */
    public Optional<RunResult> shortestWitness() {
        return runs.stream()
                .filter(run -> run.witness().isPresent())
                .min(Comparator.comparingInt((RunResult run) ->
                                run.witness().orElseThrow().run().sessions().size())
                        .thenComparingInt(run -> run.witness()
                                .orElseThrow()
                                .execution()
                                .trace()
                                .schedule()
                                .switches()));
    }
}
