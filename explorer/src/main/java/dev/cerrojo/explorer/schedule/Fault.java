package dev.cerrojo.explorer.schedule;

import java.util.Arrays;
import java.util.Optional;

/** What can befall a session instead of its next step, or together with it. */
public enum Fault {
    /** The client dies instead of taking the step: its connections break, and PostgreSQL undoes what is open. */
    CRASH('!', 1),
    /** The COMMIT is done, and its answer never comes: the client sees a broken connection. */
    LOST_ANSWER('?', 2);

    /** More sessions have no letters. */
    private static final int SESSIONS = 26;

    private final char mark;

    /** Its options come behind so many times the sessions'. */
    private final int row;

    Fault(char mark, int row) {
        this.mark = mark;
        this.row = row;
    }

    /** {@return what stands behind the session's letter in a schedule} */
    char mark() {
        return mark;
    }

    /** {@return the fault with this mark, if there is one} */
    static Optional<Fault> marked(char mark) {
        return Arrays.stream(values()).filter(fault -> fault.mark == mark).findFirst();
    }

    /** {@return the number by which a chooser chooses that this befalls a session} */
    int option(int session) {
        return session + SESSIONS * row;
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
        return Arrays.stream(values())
                .filter(fault -> fault.row == option / SESSIONS)
                .findFirst();
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
