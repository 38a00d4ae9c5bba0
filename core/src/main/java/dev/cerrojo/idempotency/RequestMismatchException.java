package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** The key was given to another request before. Nothing was done. */
public final class RequestMismatchException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    RequestMismatchException(Object key) {
        super("%s was another request before, with other content: repeat that one, or give this one a key of its own"
                .formatted(key));
    }
}
