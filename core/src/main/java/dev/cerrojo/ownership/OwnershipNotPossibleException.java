package dev.cerrojo.ownership;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** The table is such that no trigger can keep the ownership, or has columns that are nobody's; nothing was changed. */
public final class OwnershipNotPossibleException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    OwnershipNotPossibleException(String message, Throwable cause) {
        super(message, cause);
    }
}
