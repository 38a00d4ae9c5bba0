package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.database.UserDatabase;
import dev.cerrojo.explorer.schedule.Chooser;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.schedule.Scheduler;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Subject;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.Observation;
import dev.cerrojo.explorer.serial.SerialRunner;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/** Sessions of Java code, run again and again from one start state. */
final class JavaSubject implements Subject {
    /** Every so many runs, tables are emptied for good: each run leaves dead rows behind. */
    private static final int RUNS_BETWEEN_TRUNCATES = 200;

    /** Not RESET ALL: a pool may have made settings of its own. */
    private static final String CLEAN =
            "SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; DISCARD TEMP; DISCARD SEQUENCES";

    private final List<JavaSession> sessions;
    private final GatedDataSource source;
    private final UserDatabase database;
    private final Scheduler scheduler;
    private final StartState start;
    private final List<Oracle> oracles;
    private final Optional<SerialQuestion> serial;
    private final Mode mode;
    private final Fault.Budget faults;
    private final Determinism determinism = new Determinism();
    private long runs;
    private boolean serializable;
    private final Set<String> coarse = new TreeSet<>();

    /** How sessions are brought to their start state. */
    interface StartState {
        /** Before each run. */
        void before() throws SQLException;

        /**
         * After each run.
         *
         * @param anew whether tables must have the same pages each time, or are due for it
         */
        void after(boolean anew) throws SQLException;
    }

    /** What is asked at the end of each run. */
    @FunctionalInterface
    interface Oracle {
        Optional<Violation> ask(Trace trace) throws SQLException;
    }

    JavaSubject(
            List<JavaSession> sessions,
            GatedDataSource source,
            UserDatabase database,
            Scheduler scheduler,
            StartState start,
            List<Oracle> oracles,
            Optional<SerialQuestion> serial,
            Mode mode,
            Fault.Budget faults) {
        this.sessions = List.copyOf(sessions);
        this.source = source;
        this.database = database;
        this.scheduler = scheduler;
        this.start = start;
        this.oracles = List.copyOf(oracles);
        this.serial = serial;
        this.mode = mode;
        this.faults = faults;
    }

    @Override
    public int sessions() {
        return sessions.size();
    }

    @Override
    public boolean isReducible() {
        return mode.reduced();
    }

    @Override
    public boolean ordersBeginnings() {
        return mode.tellsBeginnings();
    }

    @Override
    public boolean controlsVictims() {
        return database.controlsVictims();
    }

    @Override
    public Execution execute(Chooser chooser) {
        runs++;
        RunRecord record = new RunRecord();
        try {
            start.before();
            @Nullable Trace trace = null;
            List<Violation> violations = List.of();
            Optional<Observation> seen = Optional.empty();
            try {
                trace = run(record, sessions, chooser, faults);
                failIfUnfit(record, trace);
                determinism.check(trace);
                violations = violations(record, trace);
                if (serial.isPresent()) {
                    seen = Optional.of(serial.orElseThrow().observe(sessions));
                }
            } finally {
                serializable |= record.serializable;
                coarse.addAll(record.coarse());
                start.after(trace == null || serializable || runs % RUNS_BETWEEN_TRUNCATES == 0);
            }
            return new Execution(trace, judged(violations, seen));
        } catch (SQLException e) {
            throw new NotExplorableException("the database could not be asked: " + e.getMessage(), e);
        }
    }

    /** {@return what was less than every statement a step, in words} */
    Set<String> coarse() {
        return coarse;
    }

    private List<Violation> judged(List<Violation> violations, Optional<Observation> seen) throws SQLException {
        if (seen.isEmpty()) {
            return violations;
        }
        List<Violation> all = new ArrayList<>(violations);
        serial.orElseThrow().judge(seen.orElseThrow(), this).ifPresent(all::add);
        return all;
    }

    void toStartState() throws SQLException {
        start.before();
    }

    /** Runs sessions one after another from the start state; nothing when one of them does not commit. */
    Optional<Observation> runOneByOne(List<SerialRunner.Turn> turns) {
        try {
            start.before();
            try {
                List<Integer> ran = new ArrayList<>();
                for (SerialRunner.Turn turn : turns) {
                    run(new RunRecord(), List.of(sessions.get(turn.session())), Chooser.FIRST, Fault.Budget.NONE);
                    ran.add(turn.session());
                }
                return serial.orElseThrow().observe(sessions, ran);
            } finally {
                start.after(serializable);
            }
        } catch (SQLException e) {
            throw new NotExplorableException("the database could not be asked: " + e.getMessage(), e);
        }
    }

    private Trace run(RunRecord record, List<JavaSession> some, Chooser chooser, Fault.Budget mayBefall)
            throws SQLException {
        database.forgetOwners();
        for (int i = 0; i < some.size(); i++) {
            some.get(i).prepare(record, some.subList(0, i), mode);
        }
        source.beginRun(record);
        try {
            return scheduler.run(some, chooser, mayBefall);
        } finally {
            source.endRun();
            cleanUp(record);
        }
    }

    private static void cleanUp(RunRecord record) throws SQLException {
        if (!record.outlived) {
            return;
        }
        for (BaseConnection connection : record.connections()) {
            if (!connection.isClosed()) {
                try (Statement sql = connection.createStatement()) {
                    sql.execute(CLEAN);
                }
            }
        }
    }

    private void failIfUnfit(RunRecord record, Trace trace) {
        if (record.impossible().isPresent()) {
            throw new NotExplorableException(record.impossible().orElseThrow());
        }
        // serial orders are run without looking; those that count are among the schedules that follow
        boolean looked = !mode.reduced() || !trace.moves().isEmpty();
        Mode better = mode.with(
                record.hidLocks || (looked && database.hidesLocks(trace)),
                record.toldBeginning || (looked && database.tellsBeginning(trace)),
                record.beganAhead,
                record.waitedOutside);
        if (!better.equals(mode)) {
            throw new Mode.Unfit(better);
        }
    }

    private List<Violation> violations(RunRecord record, Trace trace) throws SQLException {
        List<Violation> violations = new ArrayList<>(record.violations());
        for (Oracle oracle : oracles) {
            oracle.ask(trace).ifPresent(violations::add);
        }
        return violations;
    }
}
