package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Position;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.sql.SqlTemplate;
import dev.cerrojo.invariant.Invariant;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A database of our own with a scenario's start state, and the connections to it that belong to no session. */
final class Scratch implements AutoCloseable {
    private static final int ROWS_SHOWN = 20;

    static final String PARAMETERS = "prepareThreshold=1&ApplicationName=cerrojo";

    /** A server of the user's may have other settings; these make runs alike, and bound no wait but by our word. */
    static final String OPTIONS = "-c jit=off -c max_parallel_workers_per_gather=0 -c synchronous_commit=off"
            + " -c lock_timeout=0 -c statement_timeout=0 -c idle_in_transaction_session_timeout=0"
            + " -c client_min_messages=warning";

    /** Nobody watches these, so no wait may be for ever: who waits so long in a short burst is not worth measuring. */
    private static final String DURABLE = " -c synchronous_commit=on -c lock_timeout=10s -c statement_timeout=20s";

    static final String HAS_DEFERRED = """
            SELECT EXISTS (SELECT FROM pg_trigger WHERE tginitdeferred AND tgname NOT LIKE '~~cerrojo%')
                OR (? AND EXISTS (SELECT FROM pg_trigger WHERE tgdeferrable))""";

    private static final String TABLES_OF_VIEW = """
            WITH RECURSIVE reads(relation) AS (
                SELECT 'cerrojo_explorer.probe'::regclass::oid
                UNION
                SELECT d.refobjid
                  FROM reads
                  JOIN pg_rewrite r ON r.ev_class = reads.relation
                  JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
                                  AND d.refclassid = 'pg_class'::regclass
            )
            SELECT c.oid::regclass::text
              FROM reads JOIN pg_class c ON c.oid = reads.relation
             WHERE c.relkind IN ('r', 'p') AND c.relnamespace <> 'pg_catalog'::regnamespace
             ORDER BY 1""";

    private final Server server;
    private final Scenario scenario;
    private final String database;
    private final boolean controlsVictims;
    private final Connection connection;
    private final PostgresLockMonitor monitor;
    private final Optional<Gatekeeper> gatekeeper;
    private final Calculator calculator;
    private final StatementCompiler compiler;
    private final Baseline baseline;
    private final Map<String, PreparedStatement> oracles = new LinkedHashMap<>();
    private @Nullable ReadAndRestore readAndRestore;
    private @Nullable List<List<List<@Nullable String>>> start;
    private final Map<Boolean, ComparedTables> compared = new HashMap<>();

    private Scratch(Server server, Scenario scenario, String database, Arena.Gates gates) throws SQLException {
        this.server = server;
        this.scenario = scenario;
        this.database = database;
        this.controlsVictims = server.maySetDeadlockTimeout();
        this.connection = DriverManager.getConnection(url(""));
        runSetup(server.url(database, PARAMETERS + "&preferQueryMode=simple"), scenario);
        this.baseline = Baseline.keep(connection, gates == Arena.Gates.ON ? sessions(scenario) : 0);
        this.monitor = new PostgresLockMonitor(connection);
        this.gatekeeper = gates == Arena.Gates.ON
                ? Optional.of(Gatekeeper.connect(url(""), sessions(scenario)))
                : Optional.empty();
        gatekeeper.ifPresent(monitor::guardedBy);
        this.calculator = new Calculator(url(""));
        this.compiler = new StatementCompiler(scenario.file(), connection);
        prepareOracles();
    }

    static Scratch create(Server server, Scenario scenario, Arena.Gates gates) throws SQLException {
        String database = server.create();
        try {
            return new Scratch(server, scenario, database, gates);
        } catch (SQLException | RuntimeException e) {
            server.drop(database);
            throw e;
        }
    }

    private static int sessions(Scenario scenario) {
        return scenario.runs().stream()
                .mapToInt(run -> run.sessions().size())
                .max()
                .orElse(0);
    }

    private String url(String moreOptions) {
        return server.url(database, PARAMETERS + "&options=" + (OPTIONS + moreOptions).replace(" ", "%20"));
    }

    /** {@return where sessions connect to} */
    String sessionUrl(int session) {
        return url((controlsVictims ? " -c deadlock_timeout=1ms" : "")
                + (gatekeeper.isPresent() ? " -c cerrojo_explorer.session=" + session : ""));
    }

    /** {@return where clients connect to whose work is measured: with durable commits} */
    String clientUrl() {
        return url(controlsVictims ? DURABLE + " -c deadlock_timeout=100ms" : DURABLE);
    }

    String database() {
        return database;
    }

    boolean controlsVictims() {
        return controlsVictims;
    }

    PostgresLockMonitor monitor() {
        return monitor;
    }

    Calculator calculator() {
        return calculator;
    }

    StatementCompiler compiler() {
        return compiler;
    }

    /**
     * Runs as one simple query, so that PostgreSQL itself splits it and points at the place of an error.
     *
     * @param url of the database, with {@code preferQueryMode=simple}
     */
    static void runSetup(String url, Scenario scenario) throws SQLException {
        if (scenario.setup().isBlank()) {
            return;
        }
        try (Connection setup = DriverManager.getConnection(url);
                Statement sql = setup.createStatement()) {
            sql.setEscapeProcessing(false);
            sql.execute(scenario.setup());
        } catch (SQLException e) {
            throw ScenarioSqlException.of(scenario.file(), scenario.setupAt(), scenario.setup(), e);
        }
    }

    /** {@return whether a COMMIT may run deferred checks, given whether a transaction may SET CONSTRAINTS} */
    boolean hasDeferredChecks(boolean mayDefer) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(HAS_DEFERRED)) {
            sql.setBoolean(1, mayDefer);
            try (ResultSet row = sql.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private void prepareOracles() throws SQLException {
        for (Invariant invariant : scenario.invariants()) {
            String sql = SqlTemplate.parse(invariant.violationSql()).jdbc();
            PreparedStatement oracle = connection.prepareStatement(sql);
            try {
                oracle.getMetaData();
            } catch (SQLException e) {
                throw ScenarioSqlException.of(
                        scenario.file(), Position.generated("invariant " + invariant.name()), sql, e);
            }
            oracles.put(invariant.name(), oracle);
        }
    }

    /**
     * Asks PostgreSQL which tables a query reads, through views too: it records what a view depends on.
     *
     * @param query a query without variables
     * @return the tables, as SQL names them, in order of their names
     */
    List<String> tablesOf(String query) throws SQLException {
        String plain = query.strip().replaceAll(";+$", "");
        connection.setAutoCommit(false);
        try (Statement sql = connection.createStatement()) {
            sql.setEscapeProcessing(false);
            // as a replica, so that this DDL is not counted as a run's
            sql.execute("SET LOCAL session_replication_role = replica");
            sql.execute("CREATE VIEW cerrojo_explorer.probe AS SELECT 1 AS one WHERE EXISTS (" + plain + "\n)");
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = sql.executeQuery(TABLES_OF_VIEW)) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            return tables;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** {@return how much write-ahead log the server has written so far, in bytes; only differences mean something} */
    long walPosition() throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
            row.next();
            return row.getLong(1);
        }
    }

    void analyze() throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("ANALYZE");
        }
    }

    List<Violation> violations() throws SQLException {
        List<Violation> violations = new ArrayList<>();
        for (Map.Entry<String, PreparedStatement> oracle : oracles.entrySet()) {
            try (ResultSet rows = oracle.getValue().executeQuery()) {
                if (rows.next()) {
                    violations.add(violation(oracle.getKey(), rows));
                }
            } catch (SQLException e) {
                if (isAboutData(e)) {
                    throw invariantFailed(oracle.getKey(), e);
                }
                throw e;
            }
        }
        return violations;
    }

    /** {@return what the sessions of a run left behind, as text to be compared} */
    String state(Trace trace, List<Violation> violations, Arena.Fingerprints fingerprints) throws SQLException {
        return FinalState.of(connection, trace, violations, fingerprints == Arena.Fingerprints.ROWS_AND_READS);
    }

    /** Classes 21 (cardinality), 22 (data) and 42 (access rules): the query's own fault, on rows that a schedule left. */
    static boolean isAboutData(SQLException e) {
        return e.getSQLState() != null && e.getSQLState().matches("(21|22|42).*");
    }

    private ScenarioSqlException invariantFailed(String name, SQLException e) {
        String sql = scenario.invariants().stream()
                .filter(invariant -> invariant.name().equals(name))
                .map(Invariant::violationSql)
                .findFirst()
                .orElse("");
        return ScenarioSqlException.of(
                scenario.file(), Position.generated("invariant " + name + ", after a schedule"), sql, e);
    }

    static Violation violation(String invariant, ResultSet rows) throws SQLException {
        List<String> columns = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            columns.add(rows.getMetaData().getColumnLabel(i));
        }
        List<List<@Nullable String>> shown = new ArrayList<>();
        long count = 0;
        do {
            if (count++ < ROWS_SHOWN) {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 1; i <= columns.size(); i++) {
                    row.add(rows.getString(i));
                }
                shown.add(row);
            }
        } while (rows.next());
        return new Violation(invariant, columns, shown, count);
    }

    /**
     * Puts rows and sequences back.
     *
     * @param anew whether also what did not change is written again, into empty tables
     * @return whether that is enough; not when a run did DDL
     */
    boolean restore(boolean anew) throws SQLException {
        if (gatekeeper.isPresent()) {
            gatekeeper.orElseThrow().restart();
        }
        return baseline.restore(anew);
    }

    /** {@return what a run did to the pages of tables and indexes, before they are restored} */
    Pages pages() throws SQLException {
        return baseline.pages();
    }

    /** {@return the tables whose rows a comparison reads} */
    ComparedTables compared(boolean generous) throws SQLException {
        ComparedTables known = compared.get(generous);
        if (known == null) {
            known = new ComparedTables(query -> Texts.of(connection, query), generous);
            compared.put(generous, known);
        }
        return known;
    }

    /**
     * Reads all rows of all tables, and puts rows and sequences back, in one round trip.
     *
     * @param anew whether also what did not change is written again, into empty tables
     * @return for each table its rows; nothing when a run did DDL, and then the start state may not be back
     */
    Optional<List<List<List<@Nullable String>>>> readAndRestore(boolean anew) throws SQLException {
        if (readAndRestore == null) {
            readAndRestore = new ReadAndRestore(connection, baseline, compared(false), false);
        }
        if (gatekeeper.isPresent()) {
            gatekeeper.orElseThrow().restart();
        }
        try {
            Left left = readAndRestore.run(anew);
            return left.restored() ? Optional.of(left.rows()) : Optional.empty();
        } catch (SQLException e) {
            if (isAboutData(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** {@return for each table its rows in the start state, which must be back} */
    List<List<List<@Nullable String>>> start() throws SQLException {
        if (start == null) {
            start = readAndRestore(true)
                    .orElseThrow(() -> new IllegalStateException("the start state could not be read"));
        }
        return start;
    }

    /** Closes the connections and drops the database. */
    @Override
    public void close() throws SQLException {
        calculator.close();
        if (gatekeeper.isPresent()) {
            gatekeeper.orElseThrow().close();
        }
        monitor.close();
        server.drop(database);
    }
}
