package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether PostgreSQL had to fail a session. A schedule with a serialization failure is run at REPEATABLE READ too: only if that
 * shows an anomaly was the failure needed.
 *
 * <p>Used by one thread at a time.
 */
public final class AbortQuestion {
    private static final String SERIALIZATION_FAILURE = "40001";

    private final Optional<Supplier<Subject>> repeatableRead;
    private final Map<Schedule, Aborts> known = new HashMap<>();
    private @Nullable Subject twin;

    /**
     * Makes the question.
     *
     * @param repeatableRead makes the same sessions at REPEATABLE READ, whose executions tell of serial equivalence; asked once,
     *     when it is first needed. Empty where no session is SERIALIZABLE
     */
    public AbortQuestion(Optional<Supplier<Subject>> repeatableRead) {
        this.repeatableRead = repeatableRead;
    }

    /**
     * Asks of one schedule.
     *
     * @param trace what was seen of it
     * @return whether PostgreSQL failed a session in it, and whether it had to
     */
    public Aborts in(Trace trace) {
        boolean serialization = failedToSerialize(trace);
        if (!serialization && trace.outcomes().stream().noneMatch(Outcome.Failed.class::isInstance)) {
            return Aborts.NONE;
        }
        return repeatableRead.isEmpty() || !serialization
                ? new Aborts(1, 0, 0, 0)
                : known.computeIfAbsent(trace.schedule(), this::atRepeatableRead);
    }

    private Aborts atRepeatableRead(Schedule schedule) {
        Execution same = twin().execute(new OrderChooser(schedule));
        if (same.isAnomalous()) {
            return new Aborts(1, 1, 0, 0);
        }
        return failedToSerialize(same.trace()) ? new Aborts(1, 0, 0, 1) : new Aborts(1, 0, 1, 0);
    }

    private Subject twin() {
        Subject made = twin == null ? repeatableRead.orElseThrow().get() : twin;
        twin = made;
        return made;
    }

    private static boolean failedToSerialize(Trace trace) {
        return trace.events().stream()
                .anyMatch(event -> event instanceof TraceEvent.Finished finished
                        && finished.result()
                                .error()
                                .map(StepResult.Failure::sqlState)
                                .filter(SERIALIZATION_FAILURE::equals)
                                .isPresent());
    }
}
