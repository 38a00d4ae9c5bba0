package dev.cerrojo.invariant;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** An invariant that cannot be meant as it was declared. */
public final class InvalidInvariantException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Says what is wrong, the value, what is allowed and the next step. */
    public InvalidInvariantException(String message) {
        super(message);
    }
}
