package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.internal.SqlFailures;
import java.io.Serial;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A transaction that failed with an {@link SQLException}, which is the cause: of the work, of COMMIT (a deferred constraint), or
 * because there was no connection. Nothing is committed, for sure; what becomes of a transaction that was joined, its owner decides.
 */
public final class TransactionFailedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    TransactionFailedException(String message, SQLException cause) {
        super(message, cause);
    }

    /** {@return the SQLSTATE of the first failure of the transaction; empty when it has none} */
    public Optional<String> sqlState() {
        return SqlFailures.sqlStates(this).stream().findFirst();
    }
}
