package dev.cerrojo.explorer.database;

/** The server ended a session's connection, or went away. */
public final class ConnectionLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ConnectionLostException(String message, Throwable cause) {
        super("the connection to PostgreSQL was lost: " + message, cause);
    }
}
