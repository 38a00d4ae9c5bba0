package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.BareScratch;
import dev.cerrojo.explorer.database.ConnectionLostException;
import dev.cerrojo.explorer.database.Pages;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.LockMonitor;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A scratch database with a specification's start state, and a connection for each session. Where sessions change nothing but
 * rows, the start state is made once and rows are put back between runs; else the setups and the teardown run around each run,
 * as the tester does it. Used by one thread at a time.
 */
final class SpecArena implements AutoCloseable {
    /** Every so many runs, tables are emptied for good: each run leaves dead rows behind. */
    private static final int RUNS_BETWEEN_TRUNCATES = 200;

    /** No wait is longer: a setup that waits for a lock of another one would wait for ever. */
    private static final String NET = "-c lock_timeout=10s -c statement_timeout=30s";

    /** What may change more than rows. */
    private static final Pattern CHANGES_SCHEMA = Pattern.compile(
            "\\b(create|alter|drop|reindex|cluster|vacuum|analyze|refresh|comment|grant|revoke|reassign|import|lo_\\w+)\\b"
                    + "|\\bprepare\\s+transaction\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern DEADLOCK_TIMEOUT = Pattern.compile("deadlock_timeout", Pattern.CASE_INSENSITIVE);

    /** A level that is set otherwise than by BEGIN. */
    private static final Pattern SETS_LEVEL = Pattern.compile(
            "transaction_isolation|session\\s+characteristics|set\\s+(local\\s+)?transaction",
            Pattern.CASE_INSENSITIVE);

    private final Server server;
    private final Spec spec;
    private final Scheduler scheduler = new Scheduler(new CurrentMonitor(), Scheduler.Settings.standard());
    private final List<@Nullable SpecConnection> connections = new ArrayList<>();
    private final boolean cleansThoroughly;
    /** Whether each run starts from the same pages: at SERIALIZABLE conflicts are found by page. */
    private final boolean samePages;

    private Pages pages = Pages.AS_FRESH;
    private BareScratch database;
    private SpecConnection control;
    private boolean keepsRows;
    private Tables tables;
    private Relations relations;
    private SessionAtWork.Manner manner;
    private Map<String, Rows> start;
    private long runs;

    private SpecArena(Server server, Spec spec) throws SQLException {
        this.server = server;
        this.spec = spec;
        this.cleansThoroughly = BareScratch.outlivesTransaction(spec.allSql());
        this.samePages = spec.isSerializable();
        this.keepsRows = !CHANGES_SCHEMA.matcher(spec.sessionSql()).find();
        spec.sessions().forEach(session -> connections.add(null));
        this.database = BareScratch.create(server);
        try {
            this.control = new SpecConnection(database.url(NET));
            runSetups();
            this.tables = Tables.of(control);
            this.relations = Relations.of(control);
            this.start = tables.rows(control);
            this.manner = manner();
            if (keepsRows) {
                database.keep();
            } else {
                runTeardown();
            }
        } catch (SQLException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Makes the database, and runs the setups in it.
     *
     * @throws ScenarioSqlException if PostgreSQL does not take a setup
     */
    static SpecArena open(Server server, Spec spec) throws SQLException {
        return new SpecArena(server, spec);
    }

    private SessionAtWork.Manner manner() throws SQLException {
        String sql = spec.allSql();
        return new SessionAtWork.Manner(
                spec.isolation().orElse(Isolation.READ_COMMITTED),
                !SETS_LEVEL.matcher(sql).find(),
                database.hasDeferredChecks(sql),
                database.controlsVictims() && DEADLOCK_TIMEOUT.matcher(sql).find());
    }

    /** {@return the rows that every run starts from} */
    Map<String, Rows> start() {
        return start;
    }

    boolean controlsVictims() {
        return database.controlsVictims();
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
        if (pages == Pages.MISLEADING) {
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
                        spec.file(), spec.sessions().get(i), program.steps().get(i), connection(i), manner, tables))
                .toList();
    }

    private SpecConnection connection(int session) {
        SpecConnection known = connections.get(session);
        if (known != null && !known.isClosed()) {
            return known;
        }
        try {
            SpecConnection connection = new SpecConnection(database.url(NET + timer() + level()));
            database.owns(session, connection.backend());
            connections.set(session, connection);
            return connection;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    private String timer() {
        return database.controlsVictims() ? " -c deadlock_timeout=1ms" : "";
    }

    private String level() {
        return spec.isolation().map(IsolationRewriter::option).orElse("");
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

    private Observation observe(List<SessionAtWork> sessions) {
        List<Part> parts = sessions.stream().map(SessionAtWork::part).toList();
        return new Observation(tables.rows(control), parts);
    }

    // ---------------------------------------------------------------- the start state

    private interface Work<T> {
        T run() throws SQLException;
    }

    private <T> T inStartState(Work<T> work) {
        runs++;
        boolean done = false;
        try {
            if (!keepsRows) {
                makeStartState();
            }
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

    private void makeStartState() {
        runSetups();
        tables = Tables.of(control);
        relations = Relations.of(control);
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
        pages = keepsRows && samePages ? database.pages() : Pages.AS_FRESH;
        boolean anew = gaveUp || pages != Pages.AS_FRESH || runs % RUNS_BETWEEN_TRUNCATES == 0;
        if (!keepsRows) {
            runTeardown();
        } else if (!database.restore(anew)) {
            // a function did DDL: from now on, the tester's way
            keepsRows = false;
            tearDown();
            renew();
        }
    }

    private void runSetups() {
        spec.setups().forEach(this::runOnControl);
    }

    /** A specification without a teardown that succeeds can run once only: then the database is made anew. */
    private void runTeardown() throws SQLException {
        if (!tearDown()) {
            renew();
        }
    }

    /** {@return whether there is a teardown, and it succeeded; what it drops may never have been made} */
    private boolean tearDown() {
        return spec.teardown().isPresent()
                && !control.execute(spec.teardown().orElseThrow().sql()).failed();
    }

    private void runOnControl(SqlBlock block) {
        Answer answer = control.execute(block.sql());
        if (answer.failed()) {
            throw ScenarioSqlException.of(
                    spec.file(),
                    block.at(),
                    block.sql(),
                    answer.error().orElseThrow().cause());
        }
    }

    private void renew() throws SQLException {
        closeConnections();
        database.close();
        database = BareScratch.create(server);
        control = new SpecConnection(database.url(NET));
    }

    private void closeConnections() {
        for (int i = 0; i < connections.size(); i++) {
            SpecConnection connection = connections.get(i);
            if (connection != null) {
                connection.close();
            }
            connections.set(i, null);
        }
        control.close();
    }

    /** Closes the connections and drops the database, and with the teardown what a setup made outside it, such as a role. */
    @Override
    public void close() throws SQLException {
        scheduler.close();
        if (keepsRows) {
            tearDown();
        }
        closeConnections();
        database.close();
    }

    /** The scheduler outlives a database made anew. */
    private final class CurrentMonitor implements LockMonitor {
        @Override
        public Map<Integer, Set<Integer>> blockers(Collection<Integer> backends) {
            return database.monitor().blockers(backends);
        }

        @Override
        public OptionalInt sessionOf(int backend) {
            return database.monitor().sessionOf(backend);
        }

        /** A setup that runs again makes relations of other numbers: then they are known by their names. */
        @Override
        public Map<Integer, Footprint> footprints(Collection<Integer> backends) {
            Map<Integer, Footprint> footprints = database.monitor().footprints(backends);
            return keepsRows ? footprints : relations.named(footprints);
        }

        @Override
        public void cancel(int backend) {
            database.monitor().cancel(backend);
        }
    }
}
