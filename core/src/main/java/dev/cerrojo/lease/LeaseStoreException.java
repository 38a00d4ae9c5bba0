package dev.cerrojo.lease;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/**
 * The store of leases cannot be reached or does not answer. Nothing is said about the lease: what was asked for may or may not have
 * happened.
 */
public final class LeaseStoreException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Says what was tried, and keeps why it failed. For stores. */
    public LeaseStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
