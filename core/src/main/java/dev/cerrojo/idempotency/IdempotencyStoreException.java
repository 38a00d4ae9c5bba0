package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** The store of requests or jobs could not be reached, or did not answer: what was asked of it may have happened or not. */
public final class IdempotencyStoreException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Says what was asked, and what is known. */
    public IdempotencyStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
