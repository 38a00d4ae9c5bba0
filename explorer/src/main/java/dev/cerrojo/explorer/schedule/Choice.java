package dev.cerrojo.explorer.schedule;

import java.util.Optional;

/** One decision of a schedule. */
public sealed interface Choice {
    /** {@return the session that it is about, from 0} */
    int session();

    /** {@return the number by which a chooser makes this choice: the session's, or another one for what befalls it} */
    default int option() {
        return session();
    }

    /**
     * A choice of whose turn it is.
     *
     * @param option the number by which a chooser makes it
     * @return the choice
     */
    static Turn turn(int option) {
        return new Turn(Fault.session(option), Fault.of(option));
    }

    /**
     * The session takes its next step, or a fault befalls it there.
     *
     * @param session the session
     * @param fault what befalls it, if anything does
     */
    record Turn(int session, Optional<Fault> fault) implements Choice {
        /**
         * A turn without a fault.
         *
         * @param session the session
         */
        public Turn(int session) {
            this(session, Optional.empty());
        }

        @Override
        public int option() {
            return fault.map(one -> one.option(session)).orElse(session);
        }
    }

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
