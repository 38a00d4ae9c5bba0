package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.serial.Difference;
import dev.cerrojo.explorer.serial.SerialJudgement;
import dev.cerrojo.explorer.serial.SerialOracle;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether runs of a scenario's sessions end as some serial order of what they committed does.
 *
 * <p>Only what is the same in two runs of one serial order can be compared. That is looked at when an anomaly is seen, for the
 * order that is closest to it: first with keys and times that sessions may have made themselves taken for surrogates, then by
 * leaving out the places that differ still.
 */
final class SerialJudge {
    private static final String SCHEMA_CHANGED =
            "sessions changed the schema, so that what they left behind cannot be compared";

    /** Where the clock is read, no two runs are alike. */
    private static final int MOST_KNOWN = 10_000;

    private static final SerialJudgement UNDECIDED =
            new SerialJudgement(SerialJudgement.Kind.UNDECIDED, List.of(), List.of());

    private final Runs runs;
    private ComparedTables tables;
    private @Nullable SerialOracle oracle;
    private boolean generous;
    private final SerialRuns serial = new SerialRuns();
    private final Map<String, SerialJudgement> known = new HashMap<>();
    private final Set<List<Turn>> repeatable = new HashSet<>();
    private final Set<String> doubts = new LinkedHashSet<>();

    /** Runs sessions one after another, and reads tables at the start state. */
    interface Runs {
        /** {@return what was seen; nothing when the sessions changed the schema, or did not commit what they were to} */
        Optional<Seen> oneByOne(List<Turn> turns);

        /** {@return whether some serial order changed the schema, so that nobody knows what it ended with} */
        boolean changedSchema();

        /** {@return the rows of all tables in the start state} */
        List<List<List<@Nullable String>>> start();

        /** {@return the tables, and what of their columns is a surrogate} */
        ComparedTables tables(boolean generous) throws SQLException;
    }

    SerialJudge(Runs runs) throws SQLException {
        this.runs = runs;
        this.tables = runs.tables(false);
    }

    /** {@return what could not be judged or compared, and why} */
    List<String> doubts() {
        return List.copyOf(doubts);
    }

    /**
     * Judges a run, after the start state was put back.
     *
     * @param trace the run
     * @param seen what was seen of it; nothing when it changed the schema
     */
    SerialJudgement judge(Trace trace, Optional<Seen> seen) throws SQLException {
        if (seen.isEmpty()) {
            doubts.add(SCHEMA_CHANGED);
            return UNDECIDED;
        }
        serial.add(trace, seen.orElseThrow());
        String key = seen.orElseThrow().key();
        SerialJudgement judgement = known.get(key);
        if (judgement == null) {
            judgement = judge(seen.orElseThrow());
            if (known.size() == MOST_KNOWN) {
                known.clear();
            }
            known.put(key, judgement);
        }
        return judgement;
    }

    private SerialJudgement judge(Seen seen) throws SQLException {
        SerialJudgement judgement = oracle().judge(seen.observation(tables));
        while (judgement.isAnomalous() && learnsUnrepeatable(seen, judgement)) {
            judgement = oracle().judge(seen.observation(tables));
        }
        if (judgement.kind() == SerialJudgement.Kind.UNDECIDED) {
            doubts.add(SerialOracle.TOO_MANY_SESSIONS);
        }
        if (judgement.isAnomalous() && runs.changedSchema()) {
            doubts.add(SCHEMA_CHANGED);
            return UNDECIDED;
        }
        return judgement;
    }

    /** Whether less can be compared than was known before. */
    private boolean learnsUnrepeatable(Seen seen, SerialJudgement anomaly) throws SQLException {
        List<Turn> order = anomaly.order().stream()
                .map(session -> new Turn(session, seen.sessions().get(session).units()))
                .toList();
        if (order.isEmpty() || serial.isRepeated(order) || !repeatable.add(order)) {
            return false;
        }
        List<Difference> differences = oracle().ignoreUnrepeatable(order);
        if (differences.isEmpty()) {
            return false;
        }
        if (!generous) {
            generous = true;
            tables = runs.tables(true);
            oracle = null;
            repeatable.remove(order);
        } else {
            differences.forEach(difference -> doubts.add(notCompared(difference)));
        }
        return true;
    }

    private static String notCompared(Difference difference) {
        return difference.place() + " is not compared: two runs of one serial order differ there";
    }

    private SerialOracle oracle() {
        SerialOracle made = oracle == null
                ? new SerialOracle(
                        turns -> run(turns).map(seen -> seen.observation(tables)),
                        turns -> runs.oneByOne(turns).map(seen -> seen.observation(tables)),
                        tables.rows(runs.start()))
                : oracle;
        oracle = made;
        return made;
    }

    private Optional<Seen> run(List<Turn> turns) {
        if (serial.excludes(turns)) {
            return Optional.empty();
        }
        return serial.of(turns).or(() -> runs.oneByOne(turns));
    }
}
