package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts aborts while a search runs. A schedule with a serialization failure is run at REPEATABLE READ too, in a database of its
 * own: only if that shows an anomaly was the failure needed.
 */
final class AbortTally implements Progress, AutoCloseable {
    private static final String SERIALIZATION_FAILURE = "40001";

    private final SpecSubject subject;
    private final SpecProgram program;
    private final Optional<Arenas> arenas;
    private final Progress next;
    private final Map<Schedule, Aborts> known = new HashMap<>();
    private Aborts aborts = Aborts.NONE;
    private @Nullable SpecArena repeatableRead;
    private @Nullable SpecSubject twin;

    /** Makes arenas of the same specification at another level. */
    @FunctionalInterface
    interface Arenas {
        SpecArena open(Isolation level) throws SQLException;
    }

    /**
     * Makes a tally.
     *
     * @param arenas for telling whether an abort was needed; empty where no session is SERIALIZABLE
     * @param next is told what this is told
     */
    AbortTally(SpecSubject subject, SpecProgram program, Optional<Arenas> arenas, Progress next) {
        this.subject = subject;
        this.program = program;
        this.arenas = arenas;
        this.next = next;
    }

    Aborts aborts() {
        return aborts;
    }

    @Override
    public void ran(long schedules, long violations, long waiting) {
        if (schedules == 1) {
            // a search that learned something begins again, and counts again
            aborts = Aborts.NONE;
        }
        subject.last().map(Execution::trace).filter(AbortTally::hasAbort).ifPresent(this::add);
        next.ran(schedules, violations, waiting);
    }

    private static boolean hasAbort(Trace trace) {
        return trace.outcomes().stream().anyMatch(Outcome.Failed.class::isInstance);
    }

    private static boolean failedToSerialize(Trace trace) {
        return trace.outcomes().stream()
                .anyMatch(outcome -> outcome instanceof Outcome.Failed failed
                        && failed.sqlState().equals(SERIALIZATION_FAILURE));
    }

    private void add(Trace trace) {
        aborts = aborts.with(known.computeIfAbsent(trace.schedule(), schedule -> aborts(trace)));
    }

    private Aborts aborts(Trace trace) {
        if (arenas.isEmpty() || !failedToSerialize(trace)) {
            return new Aborts(1, 0, 0, 0);
        }
        Execution same = twin(arenas.orElseThrow()).execute(new OrderChooser(trace.schedule()));
        if (same.isViolation()) {
            return new Aborts(1, 1, 0, 0);
        }
        return failedToSerialize(same.trace()) ? new Aborts(1, 0, 0, 1) : new Aborts(1, 0, 1, 0);
    }

    private SpecSubject twin(Arenas open) {
        if (twin != null) {
            return twin;
        }
        try {
            SpecArena arena = open.open(Isolation.REPEATABLE_READ);
            repeatableRead = arena;
            twin = new SpecSubject(arena, program.isolated(Isolation.REPEATABLE_READ));
            return twin;
        } catch (SQLException e) {
            throw new dev.cerrojo.explorer.database.ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() throws SQLException {
        if (repeatableRead != null) {
            repeatableRead.close();
        }
    }
}
