package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The work was not committed before its deadline. Nothing is committed, for sure. The cause is what ended the last attempt, such
 * as the cancelled statement (57014), if anything; the failures of earlier attempts are suppressed, in their order.
 */
public final class DeadlineExceededException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int attempts;
    private final Duration deadline;

    DeadlineExceededException(int attempts, Duration deadline, @Nullable Throwable cause) {
        super("the work was not committed within its deadline of %s, in attempt %d: allow more time, or do less in it"
                .formatted(deadline, attempts));
        this.attempts = attempts;
        this.deadline = deadline;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** {@return how often the work was run, the attempt that was cut off included} */
    public int attempts() {
        return attempts;
    }

    /** {@return how long all attempts might take} */
    public Duration deadline() {
        return deadline;
    }
}
