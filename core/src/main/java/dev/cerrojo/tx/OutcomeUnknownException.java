package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.internal.SqlFailures;
import java.io.Serial;
import java.util.Optional;

/**
 * The answer to COMMIT did not come: whether the transaction is committed nobody can know by it. Never run again by itself, and
 * no {@linkplain Transaction#afterCommit action} runs. Ask the database for what the work would have written, or write it so
 * that running it twice does no harm.
 */
public final class OutcomeUnknownException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(Throwable cause) {
        super(
                "the connection was lost while COMMIT was on its way, so the transaction may be committed or not: look for what"
                        + " it would have written before it is run again ("
                        + cause.getMessage() + ")",
                cause);
    }

    /** {@return the SQLSTATE that came instead of an answer, mostly of class 08; empty when there is none} */
    public Optional<String> sqlState() {
        return SqlFailures.sqlStates(this).stream().findFirst();
    }
}
