package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** The same request or job has failed for good before. Nothing was done. */
public final class FailedForGoodException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String reason;

    FailedForGoodException(Object key, String reason) {
        super("%s has failed for good: %s: give a new request a new key".formatted(key, reason));
        this.reason = reason;
    }

    /** {@return why, as it was given then} */
    public String reason() {
        return reason;
    }
}
