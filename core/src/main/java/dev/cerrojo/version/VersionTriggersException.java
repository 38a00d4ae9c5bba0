package dev.cerrojo.version;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** Version triggers could not be installed or dropped, and nothing was changed; the message says why and what would help. */
public final class VersionTriggersException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    VersionTriggersException(String message, Throwable cause) {
        super(message, cause);
    }
}
