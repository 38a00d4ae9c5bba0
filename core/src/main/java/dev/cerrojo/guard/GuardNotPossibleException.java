package dev.cerrojo.guard;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A guard that cannot be made of an invariant; the message says why, and what would help. */
public final class GuardNotPossibleException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    GuardNotPossibleException(String message) {
        super(message);
    }

    GuardNotPossibleException(String message, Throwable cause) {
        super(message, cause);
    }
}
