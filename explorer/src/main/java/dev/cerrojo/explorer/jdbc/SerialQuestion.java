package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.database.ComparedTables;
import dev.cerrojo.explorer.database.UserDatabase;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.SerialFinding;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.Difference;
import dev.cerrojo.explorer.serial.Observation;
import dev.cerrojo.explorer.serial.Part;
import dev.cerrojo.explorer.serial.SerialJudgement;
import dev.cerrojo.explorer.serial.SerialOracle;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a schedule ends as some serial order of the sessions that committed in it: with the same rows in all tables, and the
 * same rows read. The code of a session is run as a whole, or not at all.
 */
final class SerialQuestion {
    static final String NAME = "isSerializable";

    /** Eight sessions have 40,320 orders. */
    static final int MOST_SESSIONS = 7;

    private final UserDatabase database;
    private ComparedTables tables;
    private @Nullable SerialOracle oracle;

    SerialQuestion(UserDatabase database) throws SQLException {
        this(database, new ComparedTables(database::rows, false));
    }

    private SerialQuestion(UserDatabase database, ComparedTables tables) {
        this.database = database;
        this.tables = tables;
    }

    /** {@return the same question of other sessions of the race} */
    SerialQuestion ofOthers() {
        return new SerialQuestion(database, tables);
    }

    /** {@return what is known of the columns of results} */
    JavaSession.ResultColumns columns() {
        return result -> tables.columns(result);
    }

    /** Looks at what a run ended with, before the start state is put back. */
    Observation observe(List<JavaSession> sessions) throws SQLException {
        return new Observation(
                tables.rows(database::rows),
                sessions.stream().map(JavaSession::part).toList());
    }

    /**
     * Judges what a run ended with, after the start state was put back.
     *
     * @param subject runs the serial orders
     */
    Optional<Violation> judge(Observation seen, JavaSubject subject) throws SQLException {
        if (oracle == null) {
            oracle = oracle(subject);
        }
        SerialJudgement judgement = oracle.judge(seen);
        return judgement.isAnomalous()
                ? Optional.of(new SerialFinding(judgement, Aborts.NONE).violation(NAME))
                : Optional.empty();
    }

    /** Only what is the same in two runs of one serial order can be compared. */
    private SerialOracle oracle(JavaSubject subject) throws SQLException {
        List<Turn> turns = IntStream.range(0, subject.sessions())
                .mapToObj(session -> new Turn(session, List.of(0)))
                .toList();
        subject.toStartState();
        SerialOracle strict = new SerialOracle(subject::runOneByOne, tables.rows(database::rows));
        if (differing(strict, turns).isEmpty()) {
            return strict;
        }
        tables = new ComparedTables(database::rows, true);
        SerialOracle generous = new SerialOracle(subject::runOneByOne, tables.rows(database::rows));
        Optional<Difference> still = differing(generous, turns);
        if (still.isPresent()) {
            Difference difference = still.orElseThrow();
            throw new NotExplorableException(
                    "isSerializable() cannot compare runs of this code: two runs of one serial order"
                            + " differ in " + difference.place() + ": " + difference.here() + " and "
                            + difference.there()
                            + ". Give the code a fixed clock and fixed keys, or ask holds(…) instead");
        }
        return generous;
    }

    /** Each session alone: together they may refuse each other. */
    private static Optional<Difference> differing(SerialOracle oracle, List<Turn> turns) {
        return turns.stream()
                .flatMap(turn -> oracle.ignoreUnrepeatable(List.of(turn)).stream())
                .findFirst();
    }

    /** {@return what a serial order of some sessions ended with; nothing when one of them did not commit} */
    Optional<Observation> observe(List<JavaSession> all, List<Integer> ran) throws SQLException {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Part part = ran.contains(i) ? all.get(i).part() : Part.NONE;
            if (ran.contains(i) && part.units().isEmpty()) {
                return Optional.empty();
            }
            parts.add(part);
        }
        return Optional.of(new Observation(tables.rows(database::rows), parts));
    }
}
