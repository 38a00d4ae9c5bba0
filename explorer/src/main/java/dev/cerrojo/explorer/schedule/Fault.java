package dev.cerrojo.explorer.schedule;

import java.util.Optional;

/** What can befall a session instead of its next step, or together with it. */
public enum Fault {
    /** The client dies instead of taking the step: its connections break, and PostgreSQL undoes what is open. */
    CRASH('!'),
    /** The COMMIT is done, and its answer never comes: the client sees a broken connection. */
    LOST_ANSWER('?');

    /** More sessions have no letters. */
    private static final int SESSIONS = 26;

    private final char mark;

    Fault(char mark) {
        this.mark = mark;
    }

    /** {@return what stands behind the session's letter in a schedule} */
    char mark() {
        return mark;
    }

    /** {@return the fault with this mark, if there is one} */
    static Optional<Fault> marked(char mark) {
        for (Fault fault : values()) {
            if (fault.mark == mark) {
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }

    /** {@return the number by which a chooser chooses that this befalls a session} */
    int option(int session) {
        return session + SESSIONS * (ordinal() + 1);
    }

    /**
     * Tells which session an option is about.
     *
     * @param option one of the options of a choice
     * @return the session
     */
    public static int session(int option) {
        return option % SESSIONS;
    }

    /**
     * Tells what befalls the session of an option.
     *
     * @param option one of the options of a choice
     * @return the fault; empty when the session just takes its step
     */
    public static Optional<Fault> of(int option) {
        return option < SESSIONS ? Optional.empty() : Optional.of(values()[option / SESSIONS - 1]);
    }

    /**
     * How many faults may befall the sessions of one run.
     *
     * @param crashes at most so many crashes
     * @param lostAnswers at most so many lost answers
     */
    public record Budget(int crashes, int lostAnswers) {
        /** No faults. */
        public static final Budget NONE = new Budget(0, 0);

        /** Checks that none is negative. */
        public Budget {
            if (crashes < 0 || lostAnswers < 0) {
                throw new IllegalArgumentException(
                        "a number of faults must not be negative, but was " + crashes + ", " + lostAnswers);
            }
        }

        int of(Fault fault) {
            return fault == CRASH ? crashes : lostAnswers;
        }
    }
}
