package dev.cerrojo.explorer.search;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a search found.
 *
 * @param schedules how many schedules were run to their end
 * @param violating how many of them ended with an invariant violated
 * @param deadlocking in how many of them PostgreSQL found a deadlock, or a session would have waited for ever
 * @param waiting in how many of them a session waited for another
 * @param committing in how many of them some session committed
 * @param endings how schedules ended, with counts, in the order first seen
 * @param witness the shortest violating schedule: fewest switches, then fewest steps
 * @param deadlock the shortest schedule that deadlocks
 * @param blocked the first schedule in which a session waited for another
 * @param serialViolation whether an invariant is violated when the sessions run one after another: no race then; only looked
 *     for when every schedule is to be run
 * @param sqlStates the SQLSTATEs that sessions ended with
 * @param exhausted whether every schedule was run, or one that cannot be told apart from it
 * @param reason why not, when the search did not stop at its goal
 * @param elapsed how long it took
 * @param waitNanos for each lock wait, how long after the turn it was known to be one
 * @param reduced whether schedules that differ only in the order of independent steps were run once
 * @param redundant how many runs were given up because others cover what they could still do
 * @param serial how many schedules end as no serial order does, when the subject was asked for it
 */
public record Exploration(
        long schedules,
        long violating,
        long deadlocking,
        long waiting,
        long committing,
        Map<Execution.Ending, Long> endings,
        Optional<Execution> witness,
        Optional<Execution> deadlock,
        Optional<Execution> blocked,
        boolean serialViolation,
        SortedSet<String> sqlStates,
        boolean exhausted,
        Optional<String> reason,
        Duration elapsed,
        List<Long> waitNanos,
        boolean reduced,
        long redundant,
        SerialTally serial) {
    /** Copies the collections. */
    public Exploration {
        endings = Collections.unmodifiableMap(new LinkedHashMap<>(endings));
        sqlStates = Collections.unmodifiableSortedSet(new TreeSet<>(sqlStates));
        waitNanos = List.copyOf(waitNanos);
    }

    /** {@return what it says of the invariants} */
    public Verdict verdict() {
        if (violating > 0) {
            return Verdict.VIOLATED;
        }
        return exhausted ? Verdict.HOLDS : Verdict.INCONCLUSIVE;
    }
}
