package dev.cerrojo.explorer.schedule;

import dev.cerrojo.tx.Isolation;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** What the scheduler knows of one session. Guarded by the scheduler's lock. */
final class Slot {
    /** Where a session is. */
    enum Phase {
        /** Between two steps, in the program's own code. */
        RUNNING,
        /** Before a step, without the turn. */
        AT_GATE,
        /** In a step. */
        IN_STEP,
        /** Past its last step. */
        DONE
    }

    final int session;
    final SessionProgram program;

    /** Signalled when it is given a turn. */
    final Condition turn;

    Phase phase = Phase.RUNNING;
    /** The step it stands before, or is in. */
    StepInfo step = StepInfo.rollback(Isolation.READ_COMMITTED);

    int backend;
    boolean granted;

    /** What befalls it in the step it is in. */
    Optional<Fault> fault = Optional.empty();
    /** Stands at a gate inside of the step it is in: it needs a turn to go on. */
    boolean inside;

    /** Known to wait for a lock, in the step it is in. */
    boolean waiting;
    /** The sessions that it was last known to wait for. */
    Set<Integer> waitsFor = Set.of();

    /** Known to wait outside of PostgreSQL, between two steps. */
    boolean outside;

    /** How many steps it has been given. */
    int steps;

    /** How many choices there were when its last step was done. */
    int finishedAt = -1;

    OptionalInt deadlockTimeout = OptionalInt.empty();
    long grantedAt;
    long waitingSince;

    @Nullable
    Outcome outcome;

    Slot(int session, SessionProgram program, Condition turn) {
        this.session = session;
        this.program = program;
        this.turn = turn;
    }

    boolean isSettled() {
        return phase == Phase.AT_GATE || phase == Phase.DONE;
    }

    /** {@return whether it can be given the turn} */
    boolean isOption() {
        return phase == Phase.AT_GATE || (phase == Phase.IN_STEP && inside);
    }

    /** {@return what it would do with the turn} */
    StepInfo next() {
        return inside ? step.rest() : step;
    }
}
