package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.LockMonitor;
import dev.cerrojo.explorer.schedule.Scheduler;
import dev.cerrojo.explorer.schedule.SessionProgram;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One scratch database with a scenario's start state, and the sessions' connections to it. Used by one thread at a time.
 * Closing it drops the database.
 */
public final class Arena implements AutoCloseable {
    /** Every so many runs, tables are emptied for good: each run leaves dead rows behind. */
    private static final int RUNS_BETWEEN_TRUNCATES = 200;

    /** What a transaction's end does not undo. */
    static final Pattern OUTLIVES_TRANSACTION = Pattern.compile(
            "\\bset_config\\b|\\bpg_(try_)?advisory_(un)?lock|\\btemp(orary)?\\b|\\blisten\\b|\\bprepare\\b|\\bcursor\\b"
                    + "|\\bcurrval\\b|\\blastval\\b|\\bcache\\b"
                    + "|(^|[;\\n'$]|\\*/|\\b(begin|then|else|loop))\\s*(re)?set\\b|\\bset\\s+(session|role|search_path)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final String AFTER_RUN = "RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL; CLOSE ALL; UNLISTEN *;"
            + " SELECT pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES;"
            // the driver's own prepared statements stay
            + " DO $$ DECLARE own text; BEGIN FOR own IN SELECT name FROM pg_prepared_statements WHERE from_sql LOOP"
            + " EXECUTE format('DEALLOCATE %I', own); END LOOP; END $$";

    static final Pattern SETS_CONSTRAINTS = Pattern.compile("\\bset\\s+constraints\\b", Pattern.CASE_INSENSITIVE);

    private final Server server;
    private final Scenario scenario;
    private final Scheduler scheduler;
    private final List<SessionConnections> sessions = new ArrayList<>();
    private final Map<Signature, CompiledTransaction> compiled = new HashMap<>();
    private final Gates gates;
    private Scratch scratch;
    private long runs;

    private Arena(Server server, Scenario scenario, Gates gates) throws SQLException {
        this.server = server;
        this.scenario = scenario;
        this.gates = gates;
        this.scratch = Scratch.create(server, scenario, gates);
        this.scheduler = new Scheduler(new CurrentMonitor(), Scheduler.Settings.standard());
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
        return open(server, scenario, Gates.OFF);
    }

    /** Whether sessions can be stopped inside of their statements. */
    public enum Gates {
        /** Only between statements. */
        OFF,
        /** Also before each statement and each row that writes a table, and inside COMMIT. */
        ON
    }

    /**
     * Makes the database and runs the scenario's setup in it.
     *
     * @param server where
     * @param scenario whose setup, transactions and invariants
     * @param gates whether sessions can be stopped inside of their statements
     * @return the arena
     * @throws ScenarioSqlException if PostgreSQL does not take the setup or an invariant
     * @throws SQLException if the server cannot do it
     */
    public static Arena open(Server server, Scenario scenario, Gates gates) throws SQLException {
        return new Arena(server, scenario, gates);
    }

    /** {@return whether the victims of deadlocks are chosen by the search, and not by PostgreSQL's timers alone} */
    public boolean controlsVictims() {
        return scratch.controlsVictims();
    }

    /**
     * Asks PostgreSQL which tables a query reads, through views too.
     *
     * @param query a query without variables
     * @return the tables, as SQL names them, in order of their names
     * @throws SQLException if PostgreSQL does not take the query
     */
    public List<String> tablesOf(String query) throws SQLException {
        return scratch.tablesOf(query);
    }

    private static String allSql(Scenario scenario) {
        StringBuilder text = new StringBuilder(scenario.setup());
        scenario.transactions()
                .values()
                .forEach(spec -> spec.steps().forEach(step -> {
                    if (step instanceof Step.Statement statement) {
                        text.append(";\n").append(statement.sql().text());
                    }
                }));
        return text.toString();
    }

    /**
     * Makes a run ready to be explored.
     *
     * @param variant the arena's scenario, or one with the same setup and invariants and other transactions
     * @param run one of its runs, or another over its transactions
     * @return what a search explores; usable until the arena is closed
     * @throws ScenarioSqlException if PostgreSQL does not take a step
     * @throws SQLException if a connection cannot be made
     */
    public Subject subject(Scenario variant, Run run) throws SQLException {
        return subject(variant, run, Fingerprints.OFF);
    }

    /** Whether executions tell what the sessions left behind. */
    public enum Fingerprints {
        /** They do not; it costs two queries a run. */
        OFF,
        /** The rows of all tables, without keys that a sequence or chance made, and what depends on the time. */
        ROWS,
        /** The same with those keys, and all that each session's statements returned. */
        ROWS_AND_READS
    }

    /**
     * Makes a run ready to be explored.
     *
     * @param variant the arena's scenario, or one with the same setup and invariants and other transactions
     * @param run one of its runs, or another over its transactions
     * @param fingerprints whether executions tell what the sessions left behind
     * @return what a search explores; usable until the arena is closed
     * @throws ScenarioSqlException if PostgreSQL does not take a step
     * @throws SQLException if a connection cannot be made
     */
    public Subject subject(Scenario variant, Run run, Fingerprints fingerprints) throws SQLException {
        String text = allSql(variant);
        String cleaning = OUTLIVES_TRANSACTION.matcher(text).find() ? AFTER_RUN : "";
        // a gate among the deferred triggers stops inside of the one COMMIT
        boolean deferredChecks = gates == Gates.OFF
                && scratch.hasDeferredChecks(SETS_CONSTRAINTS.matcher(text).find());
        List<SessionProgram> programs = new ArrayList<>();
        boolean serializable = false;
        for (int i = 0; i < run.sessions().size(); i++) {
            programs.add(program(variant, i, run.sessions().get(i), deferredChecks));
            for (Call call : run.sessions().get(i).calls()) {
                serializable |= spec(variant, call).isolation() == Isolation.SERIALIZABLE;
            }
        }
        scratch.restore(true);
        return new ArenaSubject(programs, cleaning, serializable, Unseen.in(variant), fingerprints);
    }

    /**
     * Runs a run's sessions at once and freely, again and again, and counts the times that an invariant did not hold.
     *
     * @param variant the arena's scenario, or one with the same setup and invariants and other transactions
     * @param run one of its runs
     * @param trials how often
     * @return how many of them ended in a violation
     * @throws SQLException if the server cannot do it
     */
    public int freeViolations(Scenario variant, Run run, int trials) throws SQLException {
        ArenaSubject subject = (ArenaSubject) subject(variant, run);
        int violations = 0;
        for (int trial = 0; trial < trials; trial++) {
            violations += subject.runFreely(trial) ? 1 : 0;
        }
        return violations;
    }

    private final class ArenaSubject implements Subject {
        private final List<SessionProgram> programs;
        private final String cleaning;
        private final boolean samePages;
        private final Unseen unseen;
        private final Fingerprints fingerprints;

        /**
         * Makes a subject.
         *
         * @param cleaning what undoes, on each session's connection, what the end of a run does not
         * @param samePages whether each run starts from the same pages: at SERIALIZABLE conflicts are found by page
         */
        ArenaSubject(
                List<SessionProgram> programs,
                String cleaning,
                boolean samePages,
                Unseen unseen,
                Fingerprints fingerprints) {
            this.fingerprints = fingerprints;
            this.programs = programs;
            this.cleaning = cleaning;
            this.samePages = samePages;
            this.unseen = unseen;
        }

        boolean runFreely(long seed) throws SQLException {
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (int i = 0; i < programs.size(); i++) {
                SessionProgram program = programs.get(i);
                Gate gate = new FreeGate(seed * programs.size() + i);
                ends.add(CompletableFuture.runAsync(
                        () -> {
                            awaitUninterruptibly(start);
                            program.run(gate);
                        },
                        task -> new Thread(task, "cerrojo-free-session").start()));
            }
            start.countDown();
            ends.forEach(CompletableFuture::join);
            for (int i = 0; i < programs.size(); i++) {
                sessions.get(i).afterRun(cleaning);
            }
            boolean violated = !scratch.violations().isEmpty();
            putBack(false);
            return violated;
        }

        @Override
        public Execution execute(Chooser chooser) {
            Optional<Execution> execution = Arena.this.execute(programs, chooser, cleaning, samePages, fingerprints);
            if (execution.isEmpty()) {
                chooser.restart();
                execution = Arena.this.execute(programs, chooser, cleaning, samePages, fingerprints);
            }
            return execution.orElseThrow();
        }

        @Override
        public boolean controlsVictims() {
            return scratch.controlsVictims();
        }

        @Override
        public int sessions() {
            return programs.size();
        }

        @Override
        public boolean isReducible() {
            return !unseen.anything();
        }

        @Override
        public boolean ordersBeginnings() {
            return unseen.beginnings();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static TransactionSpec spec(Scenario scenario, Call call) {
        return Objects.requireNonNull(scenario.transactions().get(call.transaction()), call.transaction());
    }

    private SessionProgram program(Scenario variant, int index, Session session, boolean deferredChecks) {
        while (sessions.size() <= index) {
            sessions.add(new SessionConnections(sessions.size()));
        }
        List<CompiledTransaction> transactions = new ArrayList<>();
        for (Call call : session.calls()) {
            transactions.add(compiled.computeIfAbsent(
                    new Signature(
                            spec(variant, call),
                            call.arguments().values().stream()
                                    .map(value -> Datum.of(value).type())
                                    .toList()),
                    signature -> scratch.compiler().compile(signature.spec(), call)));
        }
        return new ScenarioSession(session, transactions, sessions.get(index), scratch.calculator(), deferredChecks);
    }

    /** A transaction, with the types of its arguments. */
    private record Signature(TransactionSpec spec, List<String> types) {}

    /** Gives nothing when the run must be done again, from pages that are as they should be. */
    private Optional<Execution> execute(
            List<SessionProgram> programs,
            Chooser chooser,
            String cleaning,
            boolean samePages,
            Fingerprints fingerprints) {
        runs++;
        try {
            @Nullable Trace trace = null;
            List<Violation> violations = List.of();
            boolean representative = true;
            boolean lost = false;
            Optional<String> state = Optional.empty();
            try {
                trace = scheduler.run(programs, chooser);
            } catch (ConnectionLostException e) {
                // to clean up would only fail again, and hide why
                lost = true;
                throw e;
            } finally {
                if (!lost) {
                    for (int i = 0; i < programs.size(); i++) {
                        sessions.get(i).afterRun(cleaning);
                    }
                    violations = trace == null ? List.of() : scratch.violations();
                    if (trace != null && fingerprints != Fingerprints.OFF) {
                        state = Optional.of(scratch.state(trace, violations, fingerprints));
                    }
                    representative = restore(samePages);
                }
            }
            return representative ? Optional.of(new Execution(trace, violations, state)) : Optional.empty();
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Gives whether the run before may be taken as it was. */
    private boolean restore(boolean samePages) throws SQLException {
        boolean anew = runs % RUNS_BETWEEN_TRUNCATES == 0;
        if (!samePages) {
            putBack(anew);
            return true;
        }
        Baseline.Restored restored = scratch.restorePages(anew);
        if (!restored.complete()) {
            makeAnew();
        }
        return restored.representative();
    }

    /** Rows and sequences are put back; what DDL did is not, so the database is made anew then. */
    private void putBack(boolean anew) throws SQLException {
        if (!scratch.restore(anew)) {
            makeAnew();
        }
    }

    private void makeAnew() throws SQLException {
        sessions.forEach(SessionConnections::close);
        scratch.close();
        scratch = Scratch.create(server, scenario, gates);
        scratch.restore(true);
    }

    /** The scheduler outlives a database made anew. */
    private final class CurrentMonitor implements LockMonitor {
        @Override
        public Map<Integer, Set<Integer>> blockers(Collection<Integer> backends) {
            return scratch.monitor().blockers(backends);
        }

        @Override
        public OptionalInt sessionOf(int backend) {
            return scratch.monitor().sessionOf(backend);
        }

        @Override
        public Map<Integer, Footprint> footprints(Collection<Integer> backends) {
            return scratch.monitor().footprints(backends);
        }

        @Override
        public boolean isGatekeeper(int backend) {
            return scratch.monitor().isGatekeeper(backend);
        }

        @Override
        public void open(int session) {
            scratch.monitor().open(session);
        }

        @Override
        public void cancel(int backend) {
            scratch.monitor().cancel(backend);
        }
    }

    /** The connections of one session, made when they are first needed. */
    private final class SessionConnections implements ScenarioSession.Connections {
        private final int session;
        private @Nullable SessionConnection main;
        private @Nullable SessionConnection autonomous;

        SessionConnections(int session) {
            this.session = session;
        }

        @Override
        public SessionConnection main() {
            SessionConnection connection = main == null ? connect() : main;
            main = connection;
            return connection;
        }

        @Override
        public SessionConnection autonomous() {
            SessionConnection connection = autonomous == null ? connect() : autonomous;
            autonomous = connection;
            return connection;
        }

        private SessionConnection connect() {
            try {
                SessionConnection connection = new SessionConnection(scratch.sessionUrl(session));
                scratch.monitor().owns(session, connection.backend());
                return connection;
            } catch (SQLException e) {
                throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
            }
        }

        void afterRun(String cleaning) throws SQLException {
            if (main != null) {
                main.afterRun(cleaning);
            }
            if (autonomous != null) {
                autonomous.afterRun(cleaning);
            }
        }

        void close() {
            if (main != null) {
                main.close();
            }
            if (autonomous != null) {
                autonomous.close();
            }
            main = null;
            autonomous = null;
        }
    }

    /** Closes the connections and drops the database. */
    @Override
    public void close() throws SQLException {
        scheduler.close();
        sessions.forEach(SessionConnections::close);
        scratch.close();
    }
}
