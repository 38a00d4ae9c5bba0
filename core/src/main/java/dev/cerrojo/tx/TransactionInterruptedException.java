package dev.cerrojo.tx;

import dev.cerrojo.CerrojoException;
import java.io.Serial;

/** The thread was interrupted while it waited to run the work again. Nothing is committed; the cause is the last failure, and the thread is interrupted still. */
public final class TransactionInterruptedException extends CerrojoException {
    @Serial
    private static final long serialVersionUID = 1;

    TransactionInterruptedException(String message, Throwable cause) {
        super(message, cause);
    }
}
