package dev.cerrojo.explorer.schedule;

/** One decision of a schedule. */
public sealed interface Choice {
    /** {@return the session that it is about, from 0} */
    int session();

    /** The session takes its next step. */
    record Turn(int session) implements Choice {}

    /** PostgreSQL ends a deadlock by failing this session's statement. */
    record Victim(int session) implements Choice {}

    /**
     * The letter that stands for a session.
     *
     * @param session its index, 0 to 25
     * @return {@code A} for session 0
     */
    static char letter(int session) {
        return (char) ('A' + session);
    }
}
