package dev.cerrojo.explorer.serial;

import dev.cerrojo.explorer.serial.SerialJudgement.Kind;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a run of several sessions at once ends as some serial order of the same sessions does: with the same rows in
 * all tables, and the same rows read by each session. Work that was undone must be as if it had not been done, so a run is
 * compared with the serial orders of what was committed in it (Papadimitriou 1979: view equivalence to a serial history, seen
 * from outside).
 *
 * <pre>{@code
 * SerialOracle oracle = new SerialOracle(turns -> runOneByOne(turns), rowsAtStart);
 * SerialJudgement judgement = oracle.judge(seen);
 * if (judgement.isAnomalous()) {
 *     // judgement.differences() says how it differs from the serial order closest to it
 * }
 * }</pre>
 *
 * <p>Serial orders are run when they are first needed, and kept. Used by one thread at a time.
 */
public final class SerialOracle {
    /** Seven sessions have 5040 orders. */
    private static final int MAX_SESSIONS = 7;

    /** Why a run is {@linkplain SerialJudgement.Kind#UNDECIDED undecided}. */
    public static final String TOO_MANY_SESSIONS =
            "more than " + MAX_SESSIONS + " sessions committed, which is too many to run all their serial orders";

    private final SerialRunner runner;
    private final SerialRunner fresh;
    private final Map<String, Set<String>> known = new HashMap<>();
    private final Set<String> ignored = new HashSet<>();
    private final Map<List<Turn>, Reference> references = new HashMap<>();

    /**
     * Makes an oracle.
     *
     * @param runner runs serial orders
     * @param start the rows that every run starts from, by table
     */
    public SerialOracle(SerialRunner runner, Map<String, Rows> start) {
        this(runner, runner, start);
    }

    /**
     * Makes an oracle of sessions of which some serial orders were run already.
     *
     * @param runner runs serial orders, or tells what they ended with before
     * @param fresh runs serial orders, always
     * @param start the rows that every run starts from, by table
     */
    public SerialOracle(SerialRunner runner, SerialRunner fresh, Map<String, Rows> start) {
        this.runner = runner;
        this.fresh = fresh;
        start.values().forEach(this::know);
    }

    private void know(Rows rows) {
        for (int i = 0; i < rows.columns().size(); i++) {
            int column = i;
            rows.columns()
                    .get(column)
                    .surrogate()
                    .ifPresent(source -> rows.rows().stream()
                            .map(row -> row.get(column))
                            .filter(Objects::nonNull)
                            .forEach(value -> known.computeIfAbsent(source, any -> new HashSet<>())
                                    .add(value)));
        }
    }

    /**
     * Judges a run.
     *
     * @param seen what was seen of it, from the same start state
     * @return whether a serial order of what was committed ends alike
     */
    public SerialJudgement judge(Observation seen) {
        List<Turn> turns = turns(seen);
        CanonicalOutcome outcome = CanonicalOutcome.of(seen, known);
        Iterator<Ended> orders =
                references.computeIfAbsent(turns, Reference::new).iterator();
        @Nullable SerialJudgement nearest = null;
        Kind kind = turns.size() > MAX_SESSIONS ? Kind.UNDECIDED : Kind.ANOMALOUS;
        while (orders.hasNext()) {
            Ended ended = orders.next();
            List<Difference> differences = outcome.differences(ended.outcome(), ignored);
            if (differences.isEmpty()) {
                return new SerialJudgement(Kind.SERIAL, ended.order(), List.of());
            }
            if (nearest == null || differences.size() < nearest.differences().size()) {
                nearest = new SerialJudgement(kind, ended.order(), differences);
            }
        }
        return nearest == null ? new SerialJudgement(kind, List.of(), List.of()) : nearest;
    }

    private static List<Turn> turns(Observation seen) {
        List<Turn> turns = new ArrayList<>();
        for (int session = 0; session < seen.parts().size(); session++) {
            List<Integer> units = seen.parts().get(session).units();
            if (!units.isEmpty()) {
                turns.add(new Turn(session, units));
            }
        }
        return turns;
    }

    /**
     * Runs one serial order twice, and from then on compares no place in which the two runs differ: what is not even then the
     * same (a process id, the time of day) tells nothing of the order.
     *
     * @param turns the order
     * @return how the two runs differ; empty when they are alike, or the order cannot be run
     */
    public List<Difference> ignoreUnrepeatable(List<Turn> turns) {
        Optional<CanonicalOutcome> first = fresh.run(turns).map(this::canonical);
        Optional<CanonicalOutcome> second = fresh.run(turns).map(this::canonical);
        if (first.isEmpty() || second.isEmpty()) {
            return List.of();
        }
        List<Difference> differences = first.orElseThrow().differences(second.orElseThrow(), ignored);
        differences.forEach(difference -> ignored.add(difference.place()));
        return differences;
    }

    /**
     * From now on compares no place that another oracle of the same sessions does not.
     *
     * @param other the other, which must not be asked at the same time to ignore more
     */
    public void ignoreAlso(SerialOracle other) {
        ignored.addAll(other.ignored);
    }

    private CanonicalOutcome canonical(Observation observation) {
        return CanonicalOutcome.of(observation, known);
    }

    /** A serial order, and what it ends with. */
    private record Ended(List<Integer> order, CanonicalOutcome outcome) {}

    /** The serial orders of some turns, run as far as they were asked for. */
    private final class Reference implements Iterable<Ended> {
        private final Orders orders;
        private final List<Ended> run = new ArrayList<>();

        Reference(List<Turn> turns) {
            this.orders = new Orders(turns, MAX_SESSIONS);
        }

        @Override
        public Iterator<Ended> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    while (next >= run.size() && orders.hasNext()) {
                        runNext();
                    }
                    return next < run.size();
                }

                @Override
                public Ended next() {
                    if (!hasNext()) {
                        throw new java.util.NoSuchElementException();
                    }
                    return run.get(next++);
                }
            };
        }

        private void runNext() {
            List<Turn> order = orders.next();
            runner.run(order)
                    .ifPresent(seen ->
                            run.add(new Ended(order.stream().map(Turn::session).toList(), canonical(seen))));
        }
    }
}
