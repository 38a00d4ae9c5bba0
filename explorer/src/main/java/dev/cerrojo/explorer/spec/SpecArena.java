package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.BareScratch;
import dev.cerrojo.explorer.database.ConnectionLostException;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Scheduler;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.serial.Observation;
import dev.cerrojo.explorer.serial.Part;
import dev.cerrojo.explorer.serial.Rows;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A specification's sessions, each with a connection to the database of its start state. Used by one thread at a time. */
final class SpecArena implements AutoCloseable {
    private static final Pattern DEADLOCK_TIMEOUT = Pattern.compile("deadlock_timeout", Pattern.CASE_INSENSITIVE);

    /** A level that is set otherwise than by BEGIN. */
    private static final Pattern SETS_LEVEL = Pattern.compile(
            "transaction_isolation|session\\s+characteristics|set\\s+(local\\s+)?transaction",
            Pattern.CASE_INSENSITIVE);

    private final Spec spec;
    private final StartState state;
    private final SessionAtWork.Manner manner;
    private final Scheduler scheduler;
    private final List<@Nullable SpecConnection> connections = new ArrayList<>();
    private final boolean cleansThoroughly;

    /**
     * Makes an arena.
     *
     * @param state what the setups made; stays open, and serves one run at a time
     * @param spec the specification, or the same at another level
     */
    SpecArena(StartState state, Spec spec) {
        this.spec = spec;
        this.state = state;
        this.cleansThoroughly = BareScratch.outlivesTransaction(spec.allSql());
        this.manner = manner();
        this.scheduler = new Scheduler(state.monitor(), Scheduler.Settings.standard());
        spec.sessions().forEach(session -> connections.add(null));
    }

    private SessionAtWork.Manner manner() {
        String sql = spec.allSql();
        return new SessionAtWork.Manner(
                spec.isolation().orElse(Isolation.READ_COMMITTED),
                !SETS_LEVEL.matcher(sql).find(),
                state.hasDeferredChecks(),
                state.controlsVictims() && DEADLOCK_TIMEOUT.matcher(sql).find(),
                !spec.setsTimeout() && isReducible());
    }

    /** {@return the rows that every run starts from} */
    Map<String, Rows> start() {
        return state.rows();
    }

    boolean controlsVictims() {
        return state.controlsVictims();
    }

    /** {@return whether what steps touch can be told from the lock table} */
    boolean isReducible() {
        return !BareScratch.touchesUnseen(spec.setupSql(), spec.sessionSql());
    }

    /** A run, and what it ended with. */
    record Ran(Trace trace, Observation observation) {}

    /** Runs a program's steps in the order that a chooser gives, setups before and teardowns after. */
    Ran run(SpecProgram program, Chooser chooser) {
        Ran ran = attempt(program, chooser);
        if (state.wasMisleading()) {
            chooser.restart();
            ran = attempt(program, chooser);
        }
        return ran;
    }

    private Ran attempt(SpecProgram program, Chooser chooser) {
        return inStartState(() -> {
            List<SessionAtWork> sessions = sessions(program);
            sessions.forEach(SessionAtWork::setUp);
            Trace trace = scheduler.run(sessions, chooser);
            sessions.forEach(SessionAtWork::tearDown);
            endTransactions();
            return new Ran(ended(trace, sessions), observe(sessions));
        });
    }

    /**
     * {@return whether a schedule in which sessions come one after another, and nobody waits, does what {@link #runOneByOne} does:
     * not when setups, which all run first, or teardowns, which all run last, do more than begin a transaction, or when a session
     * leaves something that outlives it}
     */
    boolean runsSerially() {
        return !cleansThoroughly
                && spec.sessions().stream()
                        .allMatch(session -> session.teardown().isEmpty()
                                && session.setup()
                                        .map(block -> SqlShape.of(block.sql()).isOnly(SqlShape.Part.BEGIN))
                                        .orElse(true));
    }

    /** Runs sessions one after another; nothing when not all that was to take effect did. */
    Optional<Observation> runOneByOne(SpecProgram program, List<Turn> turns) {
        return inStartState(() -> {
            List<SessionAtWork> sessions = sessions(program);
            boolean allDone = true;
            for (Turn turn : turns) {
                SessionAtWork session = sessions.get(turn.session());
                session.runAlone(turn.units());
                connection(turn.session()).cleanUp(cleansThoroughly);
                allDone &= session.part().units().equals(turn.units());
            }
            return allDone ? Optional.of(observe(sessions)) : Optional.empty();
        });
    }

    /** {@return what of each session takes effect when all of them run one after another} */
    List<Turn> turnsAlone(SpecProgram program) {
        return inStartState(() -> {
            List<SessionAtWork> sessions = sessions(program);
            List<Turn> turns = new ArrayList<>();
            for (int i = 0; i < sessions.size(); i++) {
                sessions.get(i)
                        .runAlone(spec.sessions().get(i).units(program.steps().get(i)));
                connection(i).cleanUp(cleansThoroughly);
                turns.add(new Turn(i, sessions.get(i).part().units()));
            }
            turns.removeIf(turn -> turn.units().isEmpty());
            return turns;
        });
    }

    private List<SessionAtWork> sessions(SpecProgram program) {
        return IntStream.range(0, spec.sessions().size())
                .mapToObj(i -> new SessionAtWork(
                        spec.file(),
                        spec.sessions().get(i),
                        program.steps().get(i),
                        connection(i),
                        manner,
                        state.tables()))
                .toList();
    }

    private SpecConnection connection(int session) {
        SpecConnection known = connections.get(session);
        if (known != null && !known.isClosed()) {
            return known;
        }
        SpecConnection connection = state.connect(session, spec);
        connections.set(session, connection);
        return connection;
    }

    /** What is known only after the teardowns: a COMMIT in one can fail. */
    private static Trace ended(Trace trace, List<SessionAtWork> sessions) {
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < sessions.size(); i++) {
            Outcome seen = trace.outcomes().get(i);
            outcomes.add(seen instanceof Outcome.Stuck ? seen : sessions.get(i).outcome());
        }
        List<TraceEvent> events = trace.events().stream()
                .map(event -> event instanceof TraceEvent.Ended
                        ? new TraceEvent.Ended(event.session(), outcomes.get(event.session()))
                        : event)
                .toList();
        return new Trace(trace.points(), events, outcomes, trace.moves(), trace.waitNanos(), trace.wakeUpOrders());
    }

    private Observation observe(List<SessionAtWork> sessions) throws SQLException {
        List<Part> parts = sessions.stream().map(SessionAtWork::part).toList();
        return new Observation(state.left(), parts);
    }

    // ---------------------------------------------------------------- the start state

    private interface Work<T> {
        T run() throws SQLException;
    }

    private <T> T inStartState(Work<T> work) {
        boolean done = false;
        try {
            state.begin();
            try {
                T result = work.run();
                done = true;
                return result;
            } finally {
                cleanUp(!done);
            }
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    private void endTransactions() {
        connections.stream()
                .filter(connection -> connection != null && !connection.isClosed())
                .forEach(connection -> connection.cleanUp(false));
    }

    private void cleanUp(boolean gaveUp) throws SQLException {
        for (SpecConnection connection : connections) {
            if (connection != null && !connection.isClosed()) {
                connection.cleanUp(cleansThoroughly);
            }
        }
        state.end(gaveUp);
    }

    /** Closes the connections of its sessions. */
    @Override
    public void close() {
        scheduler.close();
        for (SpecConnection connection : connections) {
            if (connection != null) {
                connection.close();
            }
        }
    }
}
