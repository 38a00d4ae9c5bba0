package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Scheduler;
import dev.cerrojo.explorer.schedule.SessionProgram;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Subject;
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
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One scratch database with a scenario's start state, and the sessions' connections to it. Used by one thread at a time.
 * Closing it drops the database.
 */
public final class Arena implements AutoCloseable {
    private static final int ROWS_SHOWN = 20;

    /** Every so many runs, tables are emptied for good: each run leaves dead rows behind. */
    private static final int RUNS_BETWEEN_TRUNCATES = 200;

    private static final String PARAMETERS = "prepareThreshold=1&ApplicationName=cerrojo";

    private static final String SESSION_OPTIONS = "-c jit=off -c max_parallel_workers_per_gather=0"
            + " -c synchronous_commit=off -c lock_timeout=0 -c statement_timeout=0"
            + " -c idle_in_transaction_session_timeout=0 -c client_min_messages=warning";

    /** What a transaction's end does not undo. */
    private static final Pattern OUTLIVES_TRANSACTION = Pattern.compile(
            "\\bset_config\\b|\\bpg_(try_)?advisory_(un)?lock|\\btemp(orary)?\\b|\\blisten\\b|\\bprepare\\b|\\bcursor\\b"
                    + "|\\bcurrval\\b|\\blastval\\b|(^|[;\\n])\\s*(re)?set\\b|\\bset\\s+(session|role|search_path)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final String AFTER_RUN = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL; CLOSE ALL; UNLISTEN *;"
            + " SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES";

    private static final String HAS_DEFERRED =
            """
            SELECT EXISTS (SELECT FROM pg_trigger WHERE tginitdeferred)
                OR ($1 AND EXISTS (SELECT FROM pg_trigger WHERE tgdeferrable))""";

    private final Server server;
    private final Scenario scenario;
    private final String database;
    private final Connection monitorConnection;
    private final PostgresLockMonitor monitor;
    private final Scheduler scheduler;
    private final StatementCompiler compiler;
    private final Calculator calculator;
    private final SessionConnection calculatorConnection;
    private final List<Connections> sessions = new ArrayList<>();
    private final Map<String, CompiledTransaction> compiled = new HashMap<>();
    private final String afterRun;
    private final boolean controlsVictims;
    private boolean deferredChecks;
    private PreparedStatement restore;
    private final Map<String, PreparedStatement> oracles = new LinkedHashMap<>();
    private long ddlSeen;
    private long runs;

    private Arena(Server server, Scenario scenario, String database) throws SQLException {
        this.server = server;
        this.scenario = scenario;
        this.database = database;
        this.controlsVictims = mayset(server, database);
        this.monitorConnection = DriverManager.getConnection(url(false));
        runSetup();
        Baseline.keep(monitorConnection);
        this.monitor = new PostgresLockMonitor(monitorConnection);
        this.scheduler = new Scheduler(monitor, Scheduler.Settings.standard());
        this.compiler = new StatementCompiler(scenario.file(), monitorConnection);
        this.calculatorConnection = new SessionConnection(url(false), "");
        this.calculator = new Calculator(calculatorConnection);
        String text = allSql(scenario);
        this.afterRun = OUTLIVES_TRANSACTION.matcher(text).find() ? AFTER_RUN : "";
        this.restore = monitorConnection.prepareStatement("SELECT cerrojo_explorer.restore(?)");
        this.deferredChecks = hasDeferredChecks(text);
        prepareOracles();
    }

    /**
     * Makes the database and runs the scenario's setup in it.
     *
     * @param server where
     * @param scenario whose setup, transactions and invariants
     * @return the arena
     * @throws ScenarioSqlException if PostgreSQL does not take the setup or an invariant
     * @throws SQLException if the server cannot do it
     */
    public static Arena open(Server server, Scenario scenario) throws SQLException {
        String database = server.create();
        try {
            return new Arena(server, scenario, database);
        } catch (SQLException | RuntimeException e) {
            server.drop(database);
            throw e;
        }
    }

    private static boolean mayset(Server server, String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(database, PARAMETERS));
                Statement sql = connection.createStatement()) {
            sql.execute("SET deadlock_timeout = '1ms'");
            return true;
        } catch (SQLException e) {
            if ("42501".equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private String url(boolean session) {
        String options = SESSION_OPTIONS + (session && controlsVictims ? " -c deadlock_timeout=1ms" : "");
        return server.url(database, PARAMETERS + "&options=" + options.replace(" ", "%20"));
    }

    /** Runs as one simple query, so that PostgreSQL itself splits it and points at the place of an error. */
    private void runSetup() throws SQLException {
        if (scenario.setup().isBlank()) {
            return;
        }
        try (Connection connection = DriverManager.getConnection(
                        server.url(database, PARAMETERS + "&preferQueryMode=simple"));
                Statement sql = connection.createStatement()) {
            sql.setEscapeProcessing(false);
            sql.execute(scenario.setup());
        } catch (SQLException e) {
            throw ScenarioSqlException.of(scenario.file(), scenario.setupAt(), scenario.setup(), e);
        }
    }

    private static String allSql(Scenario scenario) {
        StringBuilder text = new StringBuilder(scenario.setup());
        scenario.transactions().values().forEach(spec -> spec.steps().forEach(step -> {
            if (step instanceof Step.Statement statement) {
                text.append(";\n").append(statement.sql().text());
            }
        }));
        return text.toString();
    }

    private boolean hasDeferredChecks(String text) throws SQLException {
        boolean mayDefer = Pattern.compile("set\\s+constraints", Pattern.CASE_INSENSITIVE).matcher(text).find();
        try (PreparedStatement sql = monitorConnection.prepareStatement(HAS_DEFERRED.replace("$1", "?"))) {
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
            PreparedStatement oracle = monitorConnection.prepareStatement(sql);
            try {
                oracle.getMetaData();
            } catch (SQLException e) {
                throw ScenarioSqlException.of(
                        scenario.file(),
                        dev.cerrojo.explorer.scenario.Position.generated("invariant " + invariant.name()),
                        sql,
                        e);
            }
            oracles.put(invariant.name(), oracle);
        }
    }

    /**
     * Makes a run of the scenario ready to be explored.
     *
     * @param run one of the scenario's runs, or another over its transactions
     * @return what a search explores; usable until the arena is closed
     * @throws ScenarioSqlException if PostgreSQL does not take a step
     * @throws SQLException if a connection cannot be made
     */
    public Subject subject(Run run) throws SQLException {
        List<SessionProgram> programs = new ArrayList<>();
        for (int i = 0; i < run.sessions().size(); i++) {
            programs.add(program(i, run.sessions().get(i)));
        }
        boolean truncates = run.sessions().stream()
                .flatMap(session -> session.calls().stream())
                .anyMatch(call -> spec(call).isolation() == dev.cerrojo.tx.Isolation.SERIALIZABLE);
        restore(true);
        return chooser -> execute(programs, chooser, truncates);
    }

    private dev.cerrojo.explorer.scenario.TransactionSpec spec(Call call) {
        return Objects.requireNonNull(scenario.transactions().get(call.transaction()), call.transaction());
    }

    private SessionProgram program(int index, Session session) throws SQLException {
        while (sessions.size() <= index) {
            sessions.add(new Connections(sessions.size()));
        }
        List<CompiledTransaction> transactions = new ArrayList<>();
        for (Call call : session.calls()) {
            String key = call.transaction() + " "
                    + call.arguments().values().stream().map(value -> Datum.of(value).type()).toList();
            CompiledTransaction known = compiled.get(key);
            if (known == null) {
                known = compiler.compile(spec(call), call);
                compiled.put(key, known);
            }
            transactions.add(known);
        }
        return new ScenarioSession(session, transactions, sessions.get(index), calculator, deferredChecks);
    }

    private Execution execute(List<SessionProgram> programs, Chooser chooser, boolean truncates) {
        runs++;
        try {
            @Nullable Trace trace = null;
            try {
                trace = scheduler.run(programs, chooser);
            } finally {
                for (int i = 0; i < programs.size(); i++) {
                    sessions.get(i).afterRun();
                }
                if (trace == null) {
                    restore(true);
                }
            }
            List<Violation> violations = violations();
            restore(truncates || runs % RUNS_BETWEEN_TRUNCATES == 0);
            return new Execution(trace, violations);
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    private List<Violation> violations() throws SQLException {
        List<Violation> violations = new ArrayList<>();
        for (Map.Entry<String, PreparedStatement> oracle : oracles.entrySet()) {
            try (ResultSet rows = oracle.getValue().executeQuery()) {
                List<List<@Nullable String>> shown = new ArrayList<>();
                int width = rows.getMetaData().getColumnCount();
                long count = 0;
                while (rows.next()) {
                    if (count++ < ROWS_SHOWN) {
                        List<@Nullable String> row = new ArrayList<>();
                        for (int i = 1; i <= width; i++) {
                            row.add(rows.getString(i));
                        }
                        shown.add(row);
                    }
                }
                if (count > 0) {
                    List<String> columns = new ArrayList<>();
                    for (int i = 1; i <= width; i++) {
                        columns.add(rows.getMetaData().getColumnLabel(i));
                    }
                    violations.add(new Violation(oracle.getKey(), columns, shown, count));
                }
            }
        }
        return violations;
    }

    private void restore(boolean anew) throws SQLException {
        restore.setBoolean(1, anew);
        try (ResultSet row = restore.executeQuery()) {
            row.next();
            if (row.getLong(1) != ddlSeen) {
                ddlSeen = row.getLong(1);
                throw new UnsupportedOperationException("DDL in a step is not supported yet");
            }
        }
    }

    /** The connections of one session. */
    private final class Connections implements ScenarioSession.Connections {
        private final int session;
        private final SessionConnection main;
        private @Nullable SessionConnection autonomous;

        Connections(int session) throws SQLException {
            this.session = session;
            this.main = connect();
        }

        private SessionConnection connect() throws SQLException {
            SessionConnection connection = new SessionConnection(url(true), afterRun);
            monitor.owns(session, connection.backend());
            return connection;
        }

        @Override
        public SessionConnection main() {
            return main;
        }

        @Override
        public SessionConnection autonomous() {
            try {
                SessionConnection connection = autonomous == null ? connect() : autonomous;
                autonomous = connection;
                return connection;
            } catch (SQLException e) {
                throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
            }
        }

        void afterRun() throws SQLException {
            main.afterRun();
            if (autonomous != null) {
                autonomous.afterRun();
            }
        }

        void close() {
            main.close();
            if (autonomous != null) {
                autonomous.close();
            }
        }
    }

    /** Closes the connections and drops the database. */
    @Override
    public void close() throws SQLException {
        scheduler.close();
        sessions.forEach(Connections::close);
        calculatorConnection.close();
        monitor.close();
        server.drop(database);
    }
}
