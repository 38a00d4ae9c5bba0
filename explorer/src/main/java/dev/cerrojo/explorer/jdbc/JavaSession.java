package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.database.BareScratch;
import dev.cerrojo.explorer.database.UserDatabase;
import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.Fault;
import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.SessionProgram;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.search.Violation;
import dev.cerrojo.explorer.serial.Part;
import dev.cerrojo.explorer.serial.Rows;
import dev.cerrojo.tx.Isolation;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session that runs code of the user's, on the thread that the scheduler gives it. What the code does in Java between two
 * steps belongs to the step before.
 */
final class JavaSession implements SessionProgram {
    private final String name;
    private final SessionBody body;
    private final Circumstances circumstances;
    private final BlockedThread blocked = new BlockedThread();

    // made anew by each run, before its threads start
    private RunRecord record = new RunRecord();
    private int index;
    private List<JavaSession> earlier = List.of();
    private Readings readings = new Readings();
    private Mode mode = Mode.unknown(false);
    private CountDownLatch arrived = new CountDownLatch(1);

    // of the running session's thread; some are read by the scheduler's
    private @Nullable Gate gate;
    private volatile @Nullable Thread thread;
    private volatile boolean started;
    private volatile boolean atStep;
    private volatile @Nullable Throwable givenUp;
    private final Set<GatedConnection> held =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private final Set<GatedConnection> used = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean everSeen;
    private volatile boolean abandoned;

    /** Ends the present attempt at its code. */
    private @Nullable Crash crash;

    /** Whether an answer was lost in the present attempt. */
    private boolean answerLost;

    /**
     * What all sessions of a race share.
     *
     * @param source where their connections come from
     * @param database what their connections lead to
     * @param mayRefuse what code may throw to say no
     * @param columns what is known of the columns of a result, when what sessions read is to be kept
     * @param faults how many may befall them
     * @param clientRetries whether a session's code is run again from its start after a fault
     */
    record Circumstances(
            GatedDataSource source,
            UserDatabase database,
            Set<Class<? extends Throwable>> mayRefuse,
            Optional<ResultColumns> columns,
            Fault.Budget faults,
            boolean clientRetries) {}

    /** Tells what is known of the columns of a result. */
    @FunctionalInterface
    interface ResultColumns {
        List<Rows.Column> of(ResultSetMetaData result) throws SQLException;
    }

    JavaSession(String name, SessionBody body, Circumstances circumstances) {
        this.name = name;
        this.body = body;
        this.circumstances = circumstances;
    }

    String name() {
        return name;
    }

    /** {@return whether it has ever taken a step, or thrown what it should not; if not, it uses another data source} */
    boolean everSeen() {
        return everSeen;
    }

    /**
     * Makes it ready for a run.
     *
     * @param ofRun where it notes what happens
     * @param before the sessions that stand before it, and start before it, one after another
     * @param ofRace what is known of the code
     */
    void prepare(RunRecord ofRun, List<JavaSession> before, Mode ofRace) {
        record = ofRun;
        index = before.size();
        earlier = List.copyOf(before);
        readings = new Readings();
        mode = ofRace;
        arrived = new CountDownLatch(1);
        started = false;
        atStep = false;
        givenUp = null;
        abandoned = false;
        forgetAttempt();
        blocked.reset();
    }

    private void forgetAttempt() {
        crash = null;
        answerLost = false;
        held.clear();
        used.clear();
    }

    // ---------------------------------------------------------------- on the session's thread

    @Override
    public Outcome run(Gate own) {
        gate = own;
        thread = Thread.currentThread();
        circumstances.source().enter(this);
        try {
            awaitStart(own);
            return attempts(own);
        } finally {
            record.active();
            arrived.countDown();
            started = false;
            endLeftovers();
            circumstances.source().leave();
            thread = null;
            // an interrupt of ours must not meet whoever has the thread next
            Thread.interrupted();
        }
    }

    private void awaitStart(Gate own) {
        if (mode.startIsStep()) {
            StepInfo begin = new StepInfo(StepInfo.Kind.STATEMENT, "(begins)", "", Isolation.READ_COMMITTED, false);
            guarded(() -> own.step(begin, 0, new Beginning()));
        } else {
            earlier.forEach(JavaSession::awaitArrival);
        }
        started = true;
    }

    /** Waits until this session has come to its first step, or waits for something else. */
    private void awaitArrival() {
        try {
            while (!arrived.await(1, TimeUnit.MILLISECONDS)) {
                if (waitsOutside().isPresent()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** After a fault that the code does not get over, a client may run it again. */
    private Outcome attempts(Gate own) {
        Outcome outcome = outcome();
        while (circumstances.clientRetries()
                && (outcome instanceof Outcome.Crashed || outcome instanceof Outcome.Unknown)) {
            own.note("the client runs it again from its beginning");
            endLeftovers();
            forgetAttempt();
            outcome = outcome();
        }
        return outcome;
    }

    private Outcome outcome() {
        if (crash != null) {
            return new Outcome.Crashed();
        }
        try {
            body.run();
        } catch (Throwable thrown) {
            failIfGivenUp();
            return crash == null ? outcome(thrown) : new Outcome.Crashed();
        }
        failIfGivenUp();
        if (crash != null) {
            return new Outcome.Crashed();
        }
        return abandoned ? new Outcome.Stuck() : new Outcome.Committed();
    }

    /** Concurrency's errors and refusals are outcomes; anything else that code throws is a fault that a test must show. */
    private Outcome outcome(Throwable thrown) {
        if (answerLost && BrokenConnection.isIn(thrown)) {
            return new Outcome.Unknown();
        }
        List<Throwable> chain = SqlFailure.chain(thrown);
        Optional<Throwable> refusal = chain.stream()
                .filter(one -> circumstances.mayRefuse().stream().anyMatch(type -> type.isInstance(one)))
                .findFirst();
        if (refusal.isPresent()) {
            return new Outcome.Refused(described(refusal.orElseThrow()));
        }
        Optional<StepResult.Failure> failure = SqlFailure.in(thrown);
        if (failure.filter(it -> isExpected(it.sqlState())).isPresent()) {
            return new Outcome.Failed(
                    failure.orElseThrow().sqlState(), failure.orElseThrow().message());
        }
        threw(thrown);
        return failure.<Outcome>map(it -> new Outcome.Failed(it.sqlState(), it.message()))
                .orElseGet(() -> new Outcome.Refused(thrown.getClass().getSimpleName()));
    }

    /** Classes 40 (rollback) and 23 (constraints), a lock not had in time, and what triggers raise. */
    private static boolean isExpected(String sqlState) {
        return sqlState.startsWith("40")
                || sqlState.startsWith("23")
                || sqlState.equals("55P03")
                || sqlState.equals("P0001");
    }

    private static String described(Throwable thrown) {
        String message = thrown.getMessage();
        return thrown.getClass().getSimpleName()
                + (message == null ? "" : ": " + message.lines().findFirst().orElse(""));
    }

    private void threw(Throwable thrown) {
        if (abandoned) {
            return;
        }
        everSeen = true;
        String where = java.util.Arrays.stream(thrown.getStackTrace())
                .filter(frame -> BlockedThread.isOfUser(frame))
                .findFirst()
                .map(BlockedThread::shown)
                .orElse("");
        record.violated(new Violation(
                thrown instanceof AssertionError ? "an assertion in a session" : "sessions end as expected",
                List.of("session", "threw", "at"),
                List.of(List.of(letter(), described(thrown), where)),
                1));
    }

    private void left(String what) {
        record.violated(new Violation(
                "sessions end as expected", List.of("session", "left"), List.of(List.of(letter(), what)), 1));
    }

    /** {@return the letter that it has in schedules} */
    String letter() {
        return String.valueOf(Choice.letter(index));
    }

    private void endLeftovers() {
        boolean inOrder = !isEnded() && !abandoned;
        for (GatedConnection connection : used) {
            try {
                if (connection.endLeftover() && inOrder) {
                    left("a transaction open");
                }
            } catch (SQLException e) {
                // the connection is gone, and with it what it held
            }
        }
        for (GatedConnection connection : List.copyOf(held)) {
            if (inOrder) {
                left("a connection that it did not close");
            }
            try {
                connection.real().close();
            } catch (SQLException e) {
                // as above
            }
        }
    }

    /** Takes a step. */
    @Nullable
    Object step(GatedConnection connection, StepInfo step, Work work) throws Throwable {
        failIfEnded();
        note(connection, step);
        Attempt attempt = new Attempt(connection, work);
        int backend = connection.transaction().backend();
        circumstances.database().owns(index, backend);
        Gate own = java.util.Objects.requireNonNull(gate);
        arrived.countDown();
        guarded(() -> own.step(step, backend, attempt));
        return attempt.value();
    }

    /** Runs a BEGIN: as a step, where it can be told when it ran. */
    @Nullable
    Object begin(GatedConnection connection, StepInfo step, Work work) throws Throwable {
        record.beganAhead = true;
        return mode.beginIsStep() ? step(connection, step, work) : work.run().value();
    }

    private void note(GatedConnection connection, StepInfo step) {
        everSeen = true;
        used.add(connection);
        connection.usedBy(this);
        record.used(connection.transaction().server());
        record.serializable |= step.isolation() == Isolation.SERIALIZABLE;
        if (!step.isEnd()) {
            record.hidLocks |= UserDatabase.hidesLocks(step.sql());
            record.toldBeginning |= UserDatabase.tellsBeginning(step.sql() + " " + step.bound());
            record.outlived |= BareScratch.outlivesTransaction(step.sql());
        }
    }

    /** What the gate throws ends the session, however the code takes it. */
    private void guarded(Runnable atGate) {
        record.active();
        atStep = true;
        try {
            atGate.run();
        } catch (RuntimeException | Error e) {
            givenUp = e;
            throw e;
        } finally {
            atStep = false;
        }
    }

    /** The first step where the start is one. */
    private final class Beginning implements Gate.Action {
        @Override
        public StepResult run(OptionalInt deadlockTimeoutMillis) {
            return StepResult.DONE;
        }

        @Override
        public StepResult befall(Fault fault, OptionalInt deadlockTimeoutMillis) {
            return StepResult.failed(SqlFailure.of(crash()));
        }
    }

    /** The client dies: all of its connections break. Those that it gave back are its pool's, and others may use them. */
    private Crash crash() {
        Crash now = new Crash(letter());
        crash = now;
        Set<GatedConnection> open = Collections.newSetFromMap(new IdentityHashMap<>());
        open.addAll(List.copyOf(held));
        used.stream().filter(connection -> connection.isStillOf(this)).forEach(open::add);
        open.forEach(this::breakOff);
        return now;
    }

    /** PostgreSQL has undone what is open, and its locks are free, before anybody else has the turn. */
    private void breakOff(GatedConnection connection) {
        int backend = connection.transaction().backend();
        connection.breakOff();
        circumstances.database().awaitEnd(backend);
    }

    /** The work of a step, and what the code gets of it: a value, or the very exception. */
    private final class Attempt implements Gate.Action {
        private final GatedConnection connection;
        private final ServerTransaction transaction;
        private final Work work;
        private Work.@Nullable Done done;
        private @Nullable Throwable thrown;

        Attempt(GatedConnection connection, Work work) {
            this.connection = connection;
            this.transaction = connection.transaction();
            this.work = work;
        }

        @Override
        public StepResult run(OptionalInt deadlockTimeoutMillis) {
            try {
                transaction.setTimer(deadlockTimeoutMillis, setsTimers());
                Work.Done result = work.run();
                done = result;
                return result.result();
            } catch (Throwable e) {
                thrown = e;
                return StepResult.failed(SqlFailure.of(e));
            }
        }

        /** Whether the COMMIT is done, or has failed, nobody can know whose answer is lost. */
        @Override
        public StepResult befall(Fault fault, OptionalInt deadlockTimeoutMillis) {
            if (fault == Fault.CRASH) {
                return instead(crash());
            }
            run(deadlockTimeoutMillis);
            answerLost = true;
            breakOff(connection);
            return instead(BrokenConnection.unanswered());
        }

        private StepResult instead(Throwable of) {
            thrown = of;
            return StepResult.failed(SqlFailure.of(of));
        }

        @Nullable
        Object value() throws Throwable {
            if (thrown != null) {
                throw thrown;
            }
            return java.util.Objects.requireNonNull(done).value();
        }
    }

    /** {@return what the session committed, with what it read in that} */
    Part part() {
        return readings.part(name);
    }

    void committed(GatedConnection connection) {
        readings.committed(connection);
    }

    void undone(GatedConnection connection) {
        readings.undone(connection);
    }

    /** Begins to note what the code reads of a result, if that is wanted. */
    Optional<Reading> reading(GatedConnection connection, String sql, ResultSet result) throws SQLException {
        if (circumstances.columns().isEmpty()) {
            return Optional.empty();
        }
        Reading reading = new Reading(sql, circumstances.columns().orElseThrow().of(result.getMetaData()));
        readings.add(connection, reading);
        return Optional.of(reading);
    }

    boolean setsTimers() {
        return circumstances.database().controlsVictims();
    }

    boolean hasDeferredChecks(boolean setConstraints) {
        return circumstances.database().hasDeferredChecks(setConstraints);
    }

    /** What was not seen may have taken the snapshot. */
    void beganUnseen(String sql) {
        record.impossible("before \"" + BoundValues.shortened(sql) + "\", session " + letter()
                + " began a transaction in a way that is not seen: by an object that unwrap(…) found, or with a"
                + " connection that another thread used. Let it use the connection itself");
    }

    /** No step of it is a COMMIT whose answer could be lost. */
    void committedInside() {
        if (circumstances.faults().lostAnswers() > 0) {
            record.coarse("no answer is lost of several statements in one text, with a COMMIT among them");
        }
    }

    void ranWholeBatch() {
        record.coarse("a batch that returns keys is one step");
    }

    void unwrapped(Class<?> type) {
        record.coarse("what is done with the " + type.getSimpleName() + " that unwrap found is not seen");
    }

    void hidLocks() {
        record.hidLocks = true;
    }

    /** {@return whether its code is to take no step any more} */
    boolean isEnded() {
        return givenUp != null || crash != null;
    }

    /** Code that goes on when its run was given up or its client has crashed, such as a retry, is ended again. */
    void failIfEnded() {
        failIfGivenUp();
        if (crash != null) {
            throw crash;
        }
    }

    private void failIfGivenUp() {
        Throwable reason = givenUp;
        if (reason instanceof RuntimeException e) {
            throw e;
        }
        if (reason instanceof Error e) {
            throw e;
        }
    }

    void acquired(GatedConnection connection) {
        held.add(connection);
    }

    void closed(GatedConnection connection) {
        held.remove(connection);
    }

    int holds() {
        return held.size();
    }

    /** {@return whether its code got this connection itself; if not, from a pool that stands before the gates} */
    boolean holds(GatedConnection connection) {
        return held.contains(connection);
    }

    /** A pool that has no more than what other sessions hold makes them wait for each other, as no lock of theirs does. */
    void gotNoConnection(SQLException e) {
        PoolUse use = PoolUse.of(circumstances.source());
        if (use.isExhausted() && givenUp == null) {
            record.impossible(use.message(letter(), "got the error \"" + e.getMessage() + "\""));
        }
    }

    // ---------------------------------------------------------------- on the scheduler's thread

    @Override
    public Optional<String> waitsOutside() {
        Thread mine = thread;
        if (mine == null || !started || atStep) {
            return Optional.empty();
        }
        Optional<BlockedThread.Reason> reason = blocked.look(
                mine,
                owner -> circumstances.source().sessionOf(owner).filter(it -> it != this),
                new BlockedThread.Others(record.activeAt(), anyOtherCanGoOn()));
        if (reason.filter(BlockedThread.Reason::isPool).isPresent()) {
            throw new NotExplorableException(PoolUse.of(circumstances.source()).message(letter(), "waits for one"));
        }
        record.waitedOutside |= reason.isPresent();
        return reason.map(BlockedThread.Reason::text);
    }

    private boolean anyOtherCanGoOn() {
        return circumstances.source().running().stream().anyMatch(other -> other != this && other.atStep);
    }

    @Override
    public void giveUp() {
        abandoned = true;
        Thread mine = thread;
        if (mine != null && !atStep) {
            mine.interrupt();
        }
    }
}
