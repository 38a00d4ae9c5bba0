package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The work returned, but its transaction was rolled back: it was marked {@linkplain Transaction#rollbackOnly rollback only}, or a
 * statement of it had failed, after which PostgreSQL can do nothing else. The failed statement is the cause then.
 */
public final class TransactionRolledBackException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    private final String reason;

    TransactionRolledBackException(String reason, @Nullable Throwable cause) {
        super("the work returned, but its transaction was rolled back: " + reason);
        this.reason = reason;
        if (cause != null) {
            initCause(cause);
        }
    }

    /** {@return why: what {@code rollbackOnly} was given, or which statement had failed} */
    public String reason() {
        return reason;
    }
}
