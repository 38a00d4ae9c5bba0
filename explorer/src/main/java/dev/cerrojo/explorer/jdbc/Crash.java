package dev.cerrojo.explorer.jdbc;

/**
 * Ends the code of a session whose client crashes. An error, since code that catches exceptions goes on; whoever catches it all
 * the same does not get at the database any more.
 */
final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash(String session) {
        super("the client of session " + session + " crashes here: Cerrojo ends its code", null, false, false);
    }
}
