package dev.cerrojo.embedded;

/** An embedded server could not be made ready, started or stopped. The message ends with what to do next. */
public final class EmbeddedPostgresException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedPostgresException(String message) {
        super(message);
    }

    EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
