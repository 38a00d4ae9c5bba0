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

    private LeaseNotAcquiredException(String message, String entity, Duration waited) {
        super(message);
        this.entity = entity;
        this.waited = waited;
    }

    static LeaseNotAcquiredException inTime(Acquisition acquisition) {
        return new LeaseNotAcquiredException(
                "the lease of %s was somebody else's for all of the %s that it was waited for: wait longer, or do it later"
                        .formatted(acquisition.refusedEntity(), acquisition.waited()),
                acquisition.refusedEntity(),
                acquisition.waited());
    }

    static LeaseNotAcquiredException interrupted(Acquisition acquisition, InterruptedException cause) {
        LeaseNotAcquiredException interrupted = new LeaseNotAcquiredException(
                "interrupted while the lease of %s was waited for; nothing is held"
                        .formatted(acquisition.refusedEntity()),
                acquisition.refusedEntity(),
                acquisition.waited());
        interrupted.initCause(cause);
        return interrupted;
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
