package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** A call that would end or change a transaction that is not the caller's to end; the message says what to do instead. */
public final class TransactionControlException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    TransactionControlException(String message) {
        super(message);
    }
}
