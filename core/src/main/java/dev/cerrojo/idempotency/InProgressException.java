package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.time.Duration;

/** Somebody is at the same request or job at this moment. Nothing was done. */
public final class InProgressException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Duration retryAfter;

    InProgressException(Object key, Duration retryAfter) {
        super("%s is in progress: ask again in %s".formatted(key, retryAfter));
        this.retryAfter = retryAfter;
    }

    /** {@return how long that one may still take without giving a sign of life; ask again then, or earlier} */
    public Duration retryAfter() {
        return retryAfter;
    }
}
