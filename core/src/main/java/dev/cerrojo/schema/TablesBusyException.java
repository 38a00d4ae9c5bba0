package dev.cerrojo.schema;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.time.Duration;

/** A lock was not free in time (SQLSTATE 55P03), so nothing was changed; it may be tried again. */
public final class TablesBusyException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Says it.
     *
     * @param what what the tables are of: {@code invariant on_call_coverage}
     * @param lockTimeout how long it waited
     * @param cause the failure
     */
    public TablesBusyException(String what, Duration lockTimeout, Throwable cause) {
        super(
                "the tables of %s were not free within %s, and nothing was changed: wait for the transactions that write them to end, or allow a longer lock timeout"
                        .formatted(what, lockTimeout),
                cause);
    }
}
