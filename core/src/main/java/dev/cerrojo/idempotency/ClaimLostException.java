package dev.cerrojo.idempotency;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A claim is no longer held: somebody else may have taken it over, so that what comes of it must not be kept. */
public final class ClaimLostException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    ClaimLostException(Object key, String why) {
        super("the claim of %s is lost: %s".formatted(key, why));
    }
}
