package dev.cerrojo.invariant;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** Work that was not begun, because what was to protect it would not have. The transaction is rolled back. */
public final class NotProtectedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Says what is wrong, the value, what is allowed and the next step. */
    public NotProtectedException(String message) {
        super(message);
    }

    /** Says the same, and keeps what it came from. */
    public NotProtectedException(String message, Throwable cause) {
        super(message, cause);
    }
}
