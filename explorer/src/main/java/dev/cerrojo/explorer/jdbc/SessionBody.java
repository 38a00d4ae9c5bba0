package dev.cerrojo.explorer.jdbc;

/** Code of the user's, as a session runs it. */
@FunctionalInterface
public interface SessionBody {
    /**
     * Runs it.
     *
     * @throws Exception what the code throws: it ends the session
     */
    void run() throws Exception;
}
