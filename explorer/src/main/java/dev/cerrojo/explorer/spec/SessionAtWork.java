package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.ScenarioSqlException;
import dev.cerrojo.explorer.schedule.Gate;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.SessionProgram;
import dev.cerrojo.explorer.schedule.StepInfo;
import dev.cerrojo.explorer.schedule.StepInfo.Kind;
import dev.cerrojo.explorer.serial.Part;
import dev.cerrojo.explorer.serial.Rows;
import dev.cerrojo.tx.Isolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.postgresql.core.TransactionState;

/**
 * One run of a session: its setup, its steps behind the gate, its teardown. After an error it goes on with its next step, as the
 * tester does; in a failed transaction PostgreSQL refuses all but its end.
 */
final class SessionAtWork implements SessionProgram {
    private final String file;
    private final SpecSession session;
    private final List<SpecStep> steps;
    private final SpecConnection connection;
    private final Manner manner;
    private final Tables tables;
    private final Ledger ledger = new Ledger();

    private Isolation isolation;
    private boolean snapshotTaken;

    /** A BEGIN that is sent with the next block, in one round trip: it takes no snapshot and no lock. */
    private Optional<SqlBlock> begin = Optional.empty();

    /**
     * What all sessions of a specification have in common.
     *
     * @param isolation the level of a transaction that names none
     * @param levelIsClear whether all levels are named by BEGIN
     * @param deferredChecks whether a COMMIT may do more than end its transaction
     * @param setsDeadlockTimeout whether the sessions set {@code deadlock_timeout} themselves
     * @param delaysBegin whether nobody can tell when a transaction began, so that BEGIN can wait for the first step
     */
    record Manner(
            Isolation isolation,
            boolean levelIsClear,
            boolean deferredChecks,
            boolean setsDeadlockTimeout,
            boolean delaysBegin) {}

    SessionAtWork(
            String file,
            SpecSession session,
            List<SpecStep> steps,
            SpecConnection connection,
            Manner manner,
            Tables tables) {
        this.file = file;
        this.session = session;
        this.steps = steps;
        this.connection = connection;
        this.manner = manner;
        this.tables = tables;
        this.isolation = manner.isolation();
    }

    /**
     * Runs its setup. It is no step, so the snapshot that it may take comes before every choice.
     *
     * @throws ScenarioSqlException if it fails, or waits for what another session's setup keeps
     */
    void setUp() {
        session.setup().ifPresent(block -> {
            if (manner.delaysBegin() && connection.hasBegun(block)) {
                enter(Ledger.SETUP, block.sql(), Answer.BEGUN, List.of(), TransactionState.IDLE, TransactionState.OPEN);
                begin = Optional.of(block);
                return;
            }
            Answer answer = enter(Ledger.SETUP, block, "setup");
            if (answer.failed()) {
                throw ScenarioSqlException.of(
                        file,
                        block.at(),
                        block.sql(),
                        answer.error().orElseThrow().cause());
            }
        });
    }

    /** Runs its teardown; an error in it is reported only by what it leaves undone. */
    void tearDown() {
        session.teardown().ifPresent(block -> enter(steps.size(), block, "teardown"));
    }

    @Override
    public Outcome run(Gate gate) {
        for (int i = 0; i < steps.size(); i++) {
            int unit = i;
            SpecStep step = steps.get(i);
            gate.step(
                    info(step.block().sql()),
                    connection.backend(),
                    timer -> enter(unit, step.block(), step.name(), timer, manner.setsDeadlockTimeout())
                            .stepResult());
        }
        return outcome();
    }

    /**
     * Runs some of its blocks one after another, with nobody else at work.
     *
     * @param units the blocks
     */
    void runAlone(List<Integer> units) {
        for (int unit : units) {
            if (unit == Ledger.SETUP) {
                setUp();
            } else if (unit == steps.size()) {
                tearDown();
            } else {
                enter(unit, steps.get(unit).block(), steps.get(unit).name());
            }
        }
    }

    private Answer enter(int unit, SqlBlock block, String name) {
        return enter(unit, block, name, OptionalInt.empty(), false);
    }

    private Answer enter(int unit, SqlBlock block, String name, OptionalInt timer, boolean always) {
        TransactionState before = state();
        Answer answer = begin.isPresent()
                ? connection.executeIn(begin.orElseThrow(), block.sql(), timer, always)
                : connection.execute(block.sql(), timer, always);
        begin = Optional.empty();
        List<Part.Reading> readings = readings(answer, session.name() + " at " + name);
        enter(unit, block.sql(), answer, readings, before, connection.state());
        return answer;
    }

    private void enter(
            int unit,
            String sql,
            Answer answer,
            List<Part.Reading> readings,
            TransactionState before,
            TransactionState after) {
        ledger.add(unit, answer, readings, before, after);
        follow(SqlShape.of(sql), after);
    }

    private TransactionState state() {
        return begin.isPresent() ? TransactionState.OPEN : connection.state();
    }

    private List<Part.Reading> readings(Answer answer, String place) {
        List<Part.Reading> readings = new ArrayList<>();
        for (Answer.Result result : answer.results()) {
            String which = answer.results().size() > 1 ? ", result " + (readings.size() + 1) : "";
            readings.add(new Part.Reading(place + which, tables.rows(result)));
        }
        answer.error()
                .ifPresent(error -> readings.add(new Part.Reading(
                        place + ", error", Rows.of("SQLSTATE", error.failure().sqlState()))));
        return readings;
    }

    private void follow(SqlShape shape, TransactionState after) {
        if (after == TransactionState.IDLE) {
            isolation = manner.isolation();
            snapshotTaken = false;
        } else {
            isolation = shape.level().orElse(isolation);
            snapshotTaken |= shape.takesSnapshot() && shape.isInsideTransaction();
        }
    }

    /** {@return what is about to be done, before anybody knows what comes of it: when in doubt, it may do anything} */
    private StepInfo info(String sql) {
        SqlShape shape = SqlShape.of(sql);
        return new StepInfo(kind(shape), sql.strip(), "", level(shape), !snapshotTaken && shape.takesSnapshot());
    }

    private Kind kind(SqlShape shape) {
        if (state() == TransactionState.IDLE) {
            return shape.opensTransaction() ? Kind.STATEMENT : Kind.COMPOUND;
        }
        boolean failed = state() == TransactionState.FAILED;
        if (shape.isOnly(SqlShape.Part.COMMIT) && !manner.deferredChecks()) {
            return failed ? Kind.ROLLBACK : Kind.COMMIT;
        } else if (shape.isOnly(SqlShape.Part.ROLLBACK)) {
            return Kind.ROLLBACK;
        }
        return shape.isInsideTransaction() ? Kind.STATEMENT : Kind.COMPOUND;
    }

    private Isolation level(SqlShape shape) {
        return manner.levelIsClear() ? shape.level().orElse(isolation) : Isolation.SERIALIZABLE;
    }

    /** {@return what it ended with, as far as it has come} */
    Outcome outcome() {
        Optional<SqlShape> teardown = session.teardown().map(block -> SqlShape.of(block.sql()));
        if (steps.isEmpty()) {
            return new Outcome.Committed();
        }
        Outcome outcome = ledger.outcome();
        boolean commitsLater = teardown.filter(SqlShape::commits).isPresent() && state() == TransactionState.OPEN;
        return commitsLater && outcome instanceof Outcome.Refused ? new Outcome.Committed() : outcome;
    }

    /** {@return what of it took effect} */
    Part part() {
        return ledger.part();
    }
}
