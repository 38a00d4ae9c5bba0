package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Call;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.Session;
import dev.cerrojo.explorer.scenario.Step;
import dev.cerrojo.explorer.scenario.TransactionSpec;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.LockMonitor;
import dev.cerrojo.explorer.schedule.Scheduler;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.AbortQuestion;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.SerialFinding;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.SerialJudgement;
import dev.cerrojo.explorer.serial.SerialRunner.Turn;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
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

    /** A parameter of the user's own, {@code app.tenant}: once it was set, RESET makes it empty, where before it was not there. */
    private static final Pattern SETS_OWN_PARAMETER = Pattern.compile(
            "\\bset_config\\s*\\(\\s*('[^']*\\.|[^'])|\\bset\\s+(local\\s+|session\\s+)?\"?\\w+\"?\\.\"?\\w+\"?\\s*(=|\\bto\\b)",
            Pattern.CASE_INSENSITIVE);

    static final Pattern SETS_CONSTRAINTS = Pattern.compile("\\bset\\s+constraints\\b", Pattern.CASE_INSENSITIVE);

    /** What the rule of a scenario without invariants is called. */
    public static final String SERIAL_EQUIVALENCE = "serial equivalence";

    private final Server server;
    private final Scenario scenario;
    private final Scheduler scheduler;
    private final List<SessionConnections> sessions = new ArrayList<>();
    private final KnownTransactions compiled =
            new KnownTransactions(() -> scratch().compiler());
    private final Gates gates;
    private Scratch scratch;
    private long runs;

    private Arena(Server server, Scenario scenario, Gates gates) throws SQLException {
        this.server = server;
        this.scenario = scenario;
        this.gates = gates;
        this.scratch = Scratch.create(server, scenario, gates);
        Scheduler.Settings settings = Scheduler.Settings.standard();
        this.scheduler = new Scheduler(new CurrentMonitor(), gates == Gates.ON ? settings.forGates() : settings);
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

    /** {@return what makes a session's connection as it was before a run; nothing, SQL, or that it must be another one} */
    private static String cleaning(String allSql) {
        if (SETS_OWN_PARAMETER.matcher(allSql).find()) {
            return SessionConnections.ANOTHER_CONNECTION;
        }
        return OUTLIVES_TRANSACTION.matcher(allSql).find() ? AFTER_RUN : "";
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
        return subject(variant, run, Fingerprints.OFF, Comparison.NONE);
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

    /** With what the end of a run is compared. */
    public enum Comparison {
        /** With nothing; but where a scenario has no invariants, as {@link #SERIAL_ORDERS}. */
        NONE,
        /** With the serial orders of what the sessions committed. */
        SERIAL_ORDERS,
        /** The same; and where a SERIALIZABLE session fails, with the same order at REPEATABLE READ. */
        SERIAL_ORDERS_AND_ABORTS
    }

    /**
     * Makes a run ready to be explored.
     *
     * @param variant the arena's scenario, or one with the same setup and invariants and other transactions
     * @param run one of its runs, or another over its transactions
     * @param fingerprints whether executions tell what the sessions left behind
     * @param comparison whether executions tell if they end as a serial order does
     * @return what a search explores; usable until the arena is closed
     * @throws ScenarioSqlException if PostgreSQL does not take a step
     * @throws SQLException if a connection cannot be made
     */
    public Subject subject(Scenario variant, Run run, Fingerprints fingerprints, Comparison comparison)
            throws SQLException {
        String text = allSql(variant);
        String cleaning = cleaning(text);
        // a gate among the deferred triggers stops inside of the one COMMIT
        boolean deferredChecks = gates == Gates.OFF
                && scratch.hasDeferredChecks(SETS_CONSTRAINTS.matcher(text).find());
        List<ScenarioSession> programs = new ArrayList<>();
        for (int i = 0; i < run.sessions().size(); i++) {
            programs.add(program(variant, i, run.sessions().get(i), deferredChecks));
        }
        boolean serializable = isSerializable(variant, run);
        scratch.restore(true);
        ArenaSubject subject = new ArenaSubject(
                programs,
                cleaning,
                serializable,
                Unseen.in(variant),
                fingerprints,
                aborts(variant, run, serializable && comparison == Comparison.SERIAL_ORDERS_AND_ABORTS),
                new Fault.Budget(variant.faults().crash(), variant.faults().lostAnswer()));
        if (comparison != Comparison.NONE || scenario.invariants().isEmpty()) {
            subject.compareWithSerialOrders();
        }
        return subject;
    }

    private static boolean isSerializable(Scenario variant, Run run) {
        return run.sessions().stream()
                .flatMap(session -> session.calls().stream())
                .anyMatch(call -> spec(variant, call).isolation() == Isolation.SERIALIZABLE);
    }

    /** The same sessions at REPEATABLE READ run in this same database. */
    private AbortQuestion aborts(Scenario variant, Run run, boolean asked) {
        return new AbortQuestion(asked ? Optional.of(() -> atRepeatableRead(variant, run)) : Optional.empty());
    }

    private Subject atRepeatableRead(Scenario variant, Run run) {
        Map<String, TransactionSpec> transactions = new LinkedHashMap<>();
        variant.transactions()
                .forEach((name, spec) -> transactions.put(
                        name,
                        spec.isolation() == Isolation.SERIALIZABLE
                                ? spec.withIsolation(Isolation.REPEATABLE_READ)
                                : spec));
        try {
            return subject(variant.withTransactions(transactions), run, Fingerprints.OFF, Comparison.SERIAL_ORDERS);
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
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
        private final List<ScenarioSession> programs;
        private final String cleaning;
        private final boolean samePages;
        private final Unseen unseen;
        private final Fingerprints fingerprints;
        private final AbortQuestion aborts;
        private final Fault.Budget faults;
        private @Nullable SerialJudge judge;

        /**
         * Makes a subject.
         *
         * @param cleaning what undoes, on each session's connection, what the end of a run does not
         * @param samePages whether each run starts from the same pages: at SERIALIZABLE conflicts are found by page
         */
        ArenaSubject(
                List<ScenarioSession> programs,
                String cleaning,
                boolean samePages,
                Unseen unseen,
                Fingerprints fingerprints,
                AbortQuestion aborts,
                Fault.Budget faults) {
            this.aborts = aborts;
            this.faults = faults;
            this.fingerprints = fingerprints;
            this.programs = programs;
            this.cleaning = cleaning;
            this.samePages = samePages;
            this.unseen = unseen;
        }

        void compareWithSerialOrders() throws SQLException {
            judge = new SerialJudge(new OneByOne(programs, cleaning, samePages));
        }

        boolean runFreely(long seed) throws SQLException {
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (int i = 0; i < programs.size(); i++) {
                ScenarioSession program = programs.get(i);
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
            restore(false);
            return violated;
        }

        @Override
        public Execution execute(Chooser chooser) {
            Optional<Execution> execution = attempt(chooser);
            if (execution.isEmpty()) {
                chooser.restart();
                execution = attempt(chooser);
            }
            return execution.orElseThrow();
        }

        /** Gives nothing when the run must be done again, from pages that are as they should be. */
        private Optional<Execution> attempt(Chooser chooser) {
            runs++;
            try {
                @Nullable Trace trace = null;
                List<Violation> violations;
                Optional<String> state = Optional.empty();
                Optional<Seen> seen = Optional.empty();
                Pages pages = Pages.AS_FRESH;
                try {
                    trace = scheduler.run(programs, chooser, faults);
                } finally {
                    for (int i = 0; i < programs.size(); i++) {
                        sessions.get(i).afterRun(cleaning);
                    }
                    violations = trace == null ? List.of() : scratch.violations();
                    if (trace != null && fingerprints != Fingerprints.OFF) {
                        state = Optional.of(scratch.state(trace, violations, fingerprints));
                    }
                    pages = pages(samePages);
                    seen = restored(mustBeAnew(pages));
                }
                return pages == Pages.MISLEADING
                        ? Optional.empty()
                        : Optional.of(judged(new Execution(trace, violations, Optional.empty(), state), seen));
            } catch (SQLException e) {
                throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
            }
        }

        private Optional<Seen> restored(boolean anew) throws SQLException {
            if (judge == null) {
                restore(anew);
                return Optional.empty();
            }
            return readAndRestore(anew)
                    .map(rows -> new Seen(
                            rows, programs.stream().map(ScenarioSession::work).toList()));
        }

        /** In a scenario without invariants, that no serial order ends alike is the violation. */
        private Execution judged(Execution execution, Optional<Seen> seen) throws SQLException {
            if (judge == null) {
                return execution;
            }
            SerialJudgement judgement = judge.judge(execution.trace(), seen);
            SerialFinding finding = new SerialFinding(judgement, aborts.in(execution.trace()));
            boolean violated = isJudgedBySerialOrders() && judgement.isAnomalous();
            return new Execution(
                    execution.trace(),
                    violated ? List.of(finding.violation(SERIAL_EQUIVALENCE)) : execution.violations(),
                    Optional.of(finding),
                    execution.state());
        }

        @Override
        public List<String> doubts() {
            return judge == null ? List.of() : judge.doubts();
        }

        @Override
        public boolean isJudgedBySerialOrders() {
            return scenario.invariants().isEmpty();
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

    private ScenarioSession program(Scenario variant, int index, Session session, boolean deferredChecks) {
        while (sessions.size() <= index) {
            sessions.add(new SessionConnections(sessions.size(), () -> scratch));
        }
        List<CompiledTransaction> transactions = new ArrayList<>();
        for (Call call : session.calls()) {
            transactions.add(compiled.of(spec(variant, call), call));
        }
        return new ScenarioSession(
                index,
                session,
                transactions,
                sessions.get(index),
                scratch.calculator(),
                deferredChecks,
                variant.faults().clientRetries());
    }

    private Scratch scratch() {
        return scratch;
    }

    /** Runs sessions one after another. */
    private final class OneByOne implements SerialJudge.Runs {
        private final List<ScenarioSession> programs;
        private final String cleaning;
        private final boolean samePages;
        private boolean changedSchema;

        OneByOne(List<ScenarioSession> programs, String cleaning, boolean samePages) {
            this.programs = programs;
            this.cleaning = cleaning;
            this.samePages = samePages;
        }

        @Override
        public Optional<Seen> oneByOne(List<Turn> turns) {
            runs++;
            List<CommittedWork> works = new ArrayList<>();
            programs.forEach(program -> works.add(new CommittedWork(works.size(), 1)));
            boolean allDone = true;
            try {
                try {
                    for (Turn turn : turns) {
                        CommittedWork work = runAlone(turn);
                        works.set(turn.session(), work);
                        allDone &= turn.units().equals(work.units());
                    }
                } catch (RuntimeException e) {
                    restore(true);
                    throw e;
                }
                Optional<List<List<List<@Nullable String>>>> rows = readAndRestore(mustBeAnew(pages(samePages)));
                changedSchema |= allDone && rows.isEmpty();
                return allDone ? rows.map(of -> new Seen(of, works)) : Optional.empty();
            } catch (SQLException e) {
                throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public boolean changedSchema() {
            return changedSchema;
        }

        /** The scheduler ends a session that waits for itself for ever. */
        private CommittedWork runAlone(Turn turn) throws SQLException {
            ScenarioSession program = programs.get(turn.session());
            try {
                scheduler.run(List.of(gate -> program.runAlone(gate, turn.units())), Chooser.FIRST);
            } finally {
                sessions.get(turn.session()).afterRun(cleaning);
            }
            return program.work();
        }

        @Override
        public List<List<List<@Nullable String>>> start() {
            try {
                return scratch.start();
            } catch (SQLException e) {
                throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public ComparedTables tables(boolean generous) throws SQLException {
            return scratch.compared(generous);
        }
    }

    /** Nothing when a run did DDL: its rows may stand in tables that nobody knows. */
    private Optional<List<List<List<@Nullable String>>>> readAndRestore(boolean anew) throws SQLException {
        Optional<List<List<List<@Nullable String>>>> rows = scratch.readAndRestore(anew);
        if (rows.isEmpty()) {
            restore(anew);
        }
        return rows;
    }

    private Pages pages(boolean matter) throws SQLException {
        return matter ? scratch.pages() : Pages.AS_FRESH;
    }

    private boolean mustBeAnew(Pages pages) {
        return pages != Pages.AS_FRESH || runs % RUNS_BETWEEN_TRUNCATES == 0;
    }

    /** Rows and sequences are put back; what DDL did is not, so the database is made anew then. */
    private void restore(boolean anew) throws SQLException {
        if (!scratch.restore(anew)) {
            sessions.forEach(SessionConnections::close);
            scratch.close();
            scratch = Scratch.create(server, scenario, gates);
            scratch.restore(true);
        }
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

    /** Closes the connections and drops the database. */
    @Override
    public void close() throws SQLException {
        scheduler.close();
        sessions.forEach(SessionConnections::close);
        scratch.close();
    }
}
