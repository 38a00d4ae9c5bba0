package dev.cerrojo.lease;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import java.time.Duration;

/**
 * A lease was not had within the time that it was waited for, or the thread was interrupted meanwhile (and still is; then the cause is
 * the {@link InterruptedException}). Nothing is held.
 */
public final class LeaseNotAcquiredException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String entity;
    private final Duration waited;

    LeaseNotAcquiredException(String message, String entity, Duration waited) {
        super(message);
        this.entity = entity;
        this.waited = waited;
    }

    /** {@return the entity that somebody else held} */
    public String entity() {
        return entity;
    }

    /** {@return how long it was waited for} */
    public Duration waited() {
        return waited;
    }
}
