package dev.cerrojo;

import java.io.Serial;

/** The root of every exception that Cerrojo throws by itself; each thing a caller handles differently is a subclass. */
public class CerrojoException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Says what is wrong, the value, what is allowed and the next step. */
    public CerrojoException(String message) {
        super(message);
    }

    /** Says the same, and keeps what it came from. */
    public CerrojoException(String message, Throwable cause) {
        super(message, cause);
    }
}
