package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A transaction within another one that is open already, and what cannot be done there; the message says why. */
public final class NestedTransactionException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Says what is refused, why, and what to do instead. */
    public NestedTransactionException(String message) {
        super(message);
    }
}
