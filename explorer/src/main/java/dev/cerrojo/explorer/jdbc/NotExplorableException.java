package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.CerrojoException;

/** Code, or what it runs on, cannot be explored as it is: a pool is too small, or something runs past the gates. */
public final class NotExplorableException extends CerrojoException {
    private static final long serialVersionUID = 1L;

    NotExplorableException(String message) {
        super(message);
    }

    NotExplorableException(String message, Throwable cause) {
        super(message, cause);
    }
}
