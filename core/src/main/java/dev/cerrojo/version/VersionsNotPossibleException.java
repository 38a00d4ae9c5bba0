package dev.cerrojo.version;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** Version triggers that a table cannot have, or not yet; the message says why, and what would help. Nothing was changed. */
public final class VersionsNotPossibleException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    VersionsNotPossibleException(String message, Throwable cause) {
        super(message, cause);
    }
}
