package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.BareScratch;
import dev.cerrojo.explorer.database.ConnectionLostException;
import dev.cerrojo.explorer.database.Left;
import dev.cerrojo.explorer.database.Pages;
import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.LockMonitor;
import dev.cerrojo.explorer.serial.Rows;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A scratch database with what a specification's setups make, and the way back to it. Where sessions change nothing but rows, the
 * start state is made once and rows are put back between runs; else the setups and the teardown run around each run, as the tester
 * does it. Used by one thread at a time, but for the monitor.
 */
final class StartState implements AutoCloseable {
    /** Every so many runs, tables are emptied for good: each run leaves dead rows behind. */
    private static final int RUNS_BETWEEN_TRUNCATES = 200;

    /** No wait is longer: a setup that waits for a lock of another one would wait for ever. */
    private static final String NET = "-c lock_timeout=10s -c statement_timeout=30s";

    /** What may change more than rows. */
    private static final Pattern CHANGES_SCHEMA = Pattern.compile(
            "\\b(create|alter|drop|reindex|cluster|vacuum|analyze|refresh|comment|grant|revoke|reassign|import|lo_\\w+)\\b"
                    + "|\\bprepare\\s+transaction\\b",
            Pattern.CASE_INSENSITIVE);

    private final Server server;
    private final Spec spec;
    /** Whether each run starts from the same pages: at SERIALIZABLE conflicts are found by page. */
    private final boolean samePages;

    private final Map<String, Rows> rows;
    private final boolean deferredChecks;
    private final List<SpecConnection> sessions = new ArrayList<>();

    private ConnectionsAhead ahead = new ConnectionsAhead();
    private Pages pages = Pages.AS_FRESH;
    private BareScratch database;
    private SpecConnection control;
    private boolean keepsRows;
    /** Whether the present run's rows were read, and put back with that. */
    private boolean isBack;

    private Tables tables;
    private Relations relations;
    private long runs;

    private StartState(Server server, Spec spec, BareScratch database, SpecConnection control) throws SQLException {
        this.server = server;
        this.spec = spec;
        this.samePages = spec.isSerializable();
        this.keepsRows = !CHANGES_SCHEMA.matcher(spec.sessionSql()).find();
        this.database = database;
        this.control = control;
        runSetups();
        this.tables = Tables.of(control);
        this.relations = Relations.of(control);
        this.deferredChecks = database.hasDeferredChecks(spec.allSql());
        if (keepsRows) {
            database.keep(tables.compared(), samePages);
        }
        this.rows = left();
        if (!keepsRows) {
            runTeardown();
        }
    }

    /**
     * Makes the database, and runs the setups in it.
     *
     * @throws ScenarioSqlException if PostgreSQL does not take a setup
     */
    static StartState make(Server server, Spec spec) throws SQLException {
        BareScratch database = BareScratch.create(server);
        ConnectionsAhead ahead = new ConnectionsAhead();
        try {
            if (spec.staysInItsDatabase()) {
                // what a setup sets for a database or a role would be missing on connections that were there before
                ahead.open(
                        database.url(sessionOptions(spec, database)),
                        spec.sessions().size());
            }
            StartState state = new StartState(server, spec, database, new SpecConnection(database.url(NET)));
            state.ahead = ahead;
            return state;
        } catch (SQLException | RuntimeException e) {
            ahead.close();
            database.close();
            throw e;
        }
    }

    private static String sessionOptions(Spec spec, BareScratch database) {
        return NET
                + (database.controlsVictims() ? " -c deadlock_timeout=1ms" : "")
                + spec.isolation().map(IsolationRewriter::option).orElse("");
    }

    /** {@return the rows that every run starts from} */
    Map<String, Rows> rows() {
        return rows;
    }

    /** {@return the tables of the present run} */
    Tables tables() {
        return tables;
    }

    boolean controlsVictims() {
        return database.controlsVictims();
    }

    /** {@return whether a COMMIT may do more than end its transaction} */
    boolean hasDeferredChecks() {
        return deferredChecks;
    }

    /** {@return whether what the last run saw may be because of what runs before it left behind: then it does not count} */
    boolean wasMisleading() {
        return pages == Pages.MISLEADING;
    }

    /**
     * Connects a session.
     *
     * @param at the specification, or the same at another level
     * @return a connection; it is closed when the database is made anew
     */
    SpecConnection connect(int session, Spec at) {
        try {
            String url = database.url(sessionOptions(at, database));
            Optional<SpecConnection> known = ahead.take(url);
            SpecConnection connection = known.isPresent() ? known.orElseThrow() : new SpecConnection(url);
            database.owns(session, connection.backend());
            sessions.add(connection);
            return connection;
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Begins a run: the start state is there. */
    void begin() {
        runs++;
        isBack = false;
        pages = Pages.AS_FRESH;
        if (!keepsRows) {
            runSetups();
            tables = Tables.of(control);
            relations = Relations.of(control);
        }
    }

    /** {@return what the run left in all tables; nothing must run, and nothing may come after in this run} */
    Map<String, Rows> left() throws SQLException {
        Optional<Left> left = keepsRows ? database.readAndRestore(isTimeToTruncate()) : Optional.empty();
        if (left.isEmpty()) {
            return tables.rows(control);
        }
        pages = left.orElseThrow().pages();
        isBack = left.orElseThrow().restored();
        return tables.rows(left.orElseThrow().rows());
    }

    private boolean isTimeToTruncate() {
        return runs % RUNS_BETWEEN_TRUNCATES == 0;
    }

    /**
     * Ends a run.
     *
     * @param gaveUp whether it was given up, so that what it saw is not looked at
     */
    void end(boolean gaveUp) throws SQLException {
        if (!keepsRows) {
            runTeardown();
        } else if (!isBack && !database.restore(gaveUp || samePages || isTimeToTruncate())) {
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
        sessions.forEach(SpecConnection::close);
        sessions.clear();
        ahead.close();
        control.close();
    }

    /** {@return who tells which sessions wait for which; outlives a database made anew} */
    LockMonitor monitor() {
        return new CurrentMonitor();
    }

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

    /** Closes the connections and drops the database, and with the teardown what a setup made outside it, such as a role. */
    @Override
    public void close() throws SQLException {
        if (keepsRows) {
            tearDown();
        }
        closeConnections();
        database.close();
    }
}
