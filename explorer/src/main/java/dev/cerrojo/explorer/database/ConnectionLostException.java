package dev.cerrojo.explorer.database;

/** The server ended a session's connection, or went away. */
public final class ConnectionLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Says how it was noticed.
     *
     * @param message what the driver said
     * @param cause its exception
     */
    public ConnectionLostException(String message, Throwable cause) {
        super("the connection to PostgreSQL was lost: " + message, cause);
    }
}
