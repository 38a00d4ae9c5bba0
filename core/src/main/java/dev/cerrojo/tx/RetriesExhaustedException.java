package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.time.Duration;

/**
 * The work was run as often as it may be, and PostgreSQL refused it each time with 40001 or 40P01. Nothing is committed. The last
 * failure is the cause, the earlier ones are suppressed, in their order.
 */
public final class RetriesExhaustedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int attempts;
    private final Duration elapsed;
    private final String sqlState;

    RetriesExhaustedException(int attempts, Duration elapsed, String sqlState, Throwable cause) {
        super(
                "the work was refused %d times in %s, at last with SQLSTATE %s: allow more attempts or time, or let its transactions take one row or lock first, so that they wait instead"
                        .formatted(attempts, elapsed, sqlState),
                cause);
        this.attempts = attempts;
        this.elapsed = elapsed;
        this.sqlState = sqlState;
    }

    /** {@return how often the work was run} */
    public int attempts() {
        return attempts;
    }

    /** {@return the time from the first attempt on, waits included} */
    public Duration elapsed() {
        return elapsed;
    }

    /** {@return the SQLSTATE of the last failure: 40001 or 40P01} */
    public String sqlState() {
        return sqlState;
    }
}
