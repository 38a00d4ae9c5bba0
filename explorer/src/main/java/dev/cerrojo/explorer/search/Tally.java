package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.serial.SerialJudgement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Counts what the schedules of a search ended with, and keeps the shortest of each kind. */
final class Tally {
    /** Enough for percentiles; a long search need not keep every wait. */
    private static final int WAITS_KEPT = 100_000;

    private long schedules;
    private long violating;
    private long deadlocking;
    private long waiting;
    private long committing;
    private long redundant;
    private long wakeUpOrders;
    private final Map<Execution.Ending, Long> endings = new LinkedHashMap<>();
    private final SortedSet<String> sqlStates = new TreeSet<>();
    private final List<Long> waitNanos = new ArrayList<>();
    private @Nullable Execution witness;
    private @Nullable Execution deadlock;
    private @Nullable Execution wait;
    private SerialTally serial = SerialTally.NONE;

    long schedules() {
        return schedules;
    }

    long violating() {
        return violating;
    }

    long wakeUpOrders() {
        return wakeUpOrders;
    }

    long deadlocking() {
        return deadlocking;
    }

    void add(Execution execution) {
        schedules++;
        endings.merge(execution.ending(), 1L, Long::sum);
        execution.trace().outcomes().forEach(this::addOutcome);
        wakeUpOrders += execution.trace().wakeUpOrders() > 0 ? 1 : 0;
        committing += execution.trace().anyCommitted() ? 1 : 0;
        if (waitNanos.size() < WAITS_KEPT) {
            waitNanos.addAll(execution.trace().waitNanos());
        }
        if (execution.isViolation()) {
            violating++;
            witness = shorter(witness, execution);
        }
        if (execution.trace().deadlocked()) {
            deadlocking++;
            deadlock = shorter(deadlock, execution);
        }
        if (execution.trace().waited()) {
            waiting++;
            wait = wait == null ? execution : wait;
        }
        execution.serial().ifPresent(finding -> serial = with(finding, execution));
    }

    private SerialTally with(SerialFinding finding, Execution execution) {
        boolean undecided = finding.judgement().kind() == SerialJudgement.Kind.UNDECIDED;
        Execution known = serial.witness().orElse(null);
        return new SerialTally(
                serial.judged() + 1,
                serial.anomalous() + (execution.isAnomalous() ? 1 : 0),
                serial.undecided() + (undecided ? 1 : 0),
                Optional.ofNullable(execution.isAnomalous() ? shorter(known, execution) : known),
                serial.aborts().with(finding.aborts()),
                List.of());
    }

    void addRedundant() {
        redundant++;
    }

    private void addOutcome(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            sqlStates.add(failed.sqlState());
        }
    }

    private static Execution shorter(@Nullable Execution known, Execution other) {
        if (known == null) {
            return other;
        }
        int switches = Integer.compare(
                other.trace().schedule().switches(), known.trace().schedule().switches());
        int steps = Integer.compare(
                other.trace().points().size(), known.trace().points().size());
        if (switches != 0 || steps != 0) {
            return switches < 0 || (switches == 0 && steps < 0) ? other : known;
        }
        // whichever was run first
        return other.trace()
                                .schedule()
                                .toString()
                                .compareTo(known.trace().schedule().toString())
                        < 0
                ? other
                : known;
    }

    Exploration exploration(
            boolean exhausted,
            boolean reduced,
            boolean serialViolation,
            Optional<String> reason,
            Duration elapsed,
            List<String> doubts) {
        return new Exploration(
                schedules,
                violating,
                deadlocking,
                waiting,
                committing,
                endings,
                Optional.ofNullable(witness),
                Optional.ofNullable(deadlock),
                Optional.ofNullable(wait),
                serialViolation,
                sqlStates,
                exhausted,
                reason,
                elapsed,
                waitNanos,
                reduced,
                redundant,
                new SerialTally(
                        serial.judged(),
                        serial.anomalous(),
                        serial.undecided(),
                        serial.witness(),
                        serial.aborts(),
                        doubts));
    }
}
