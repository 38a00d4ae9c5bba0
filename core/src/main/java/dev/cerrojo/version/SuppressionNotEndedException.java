package dev.cerrojo.version;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A suppression could not be ended, so its transaction was made to fail: roll it back. The cause tells what PostgreSQL said. */
public final class SuppressionNotEndedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    SuppressionNotEndedException(Throwable cause) {
        super(
                "versions could not be switched on again, and the transaction was made to fail: within a suppression, release no"
                        + " savepoint that was set before it; " + cause.getMessage(),
                cause);
    }
}
