package dev.cerrojo.explorer.jdbc;

/**
 * What is known of the code of a race, and how it is run therefore.
 *
 * @param reduced whether the search leaves out orders that the lock table shows to be alike
 * @param startIsStep whether the start of a session is a step: code before the first statement can matter when sessions wait
 *     for each other in Java
 * @param tellsBeginnings whether it can be told in which order transactions begin
 * @param beginIsStep whether a BEGIN of the code's is a step, because it can be told when it ran
 * @param fixed whether it stays so, whatever a run shows: a replay proves nothing
 */
record Mode(boolean reduced, boolean startIsStep, boolean tellsBeginnings, boolean beginIsStep, boolean fixed) {
    private static final int START = 1;
    private static final int BEGIN = 2;

    /** Nothing is known yet. */
    static Mode unknown(boolean reduced) {
        return new Mode(reduced, false, false, false, false);
    }

    /**
     * {@return what a schedule was found with}
     *
     * @param number tells what its steps are
     * @throws IllegalArgumentException if no schedule is found with that
     */
    static Mode replay(int number) {
        if (number < 1 || number > 1 + START + BEGIN) {
            throw new IllegalArgumentException("a schedule of a race begins with 1 to " + (1 + START + BEGIN)
                    + ", which tells what its steps are, but was " + number + ": is it a scenario's?");
        }
        int steps = number - 1;
        return new Mode(false, (steps & START) != 0, (steps & BEGIN) != 0, (steps & BEGIN) != 0, true);
    }

    /** {@return a number that tells what is a step, from 1} */
    int number() {
        return 1 + (startIsStep ? START : 0) + (beginIsStep ? BEGIN : 0);
    }

    /**
     * {@return this, with what a run has shown}
     *
     * @param hidLocks whether the lock table told too little
     * @param toldBeginning whether something could tell when its transaction began
     * @param beganAhead whether a transaction was begun ahead of its first statement
     * @param waitedOutside whether a session waited outside of PostgreSQL
     */
    Mode with(boolean hidLocks, boolean toldBeginning, boolean beganAhead, boolean waitedOutside) {
        if (fixed) {
            return this;
        }
        boolean tells = tellsBeginnings || toldBeginning;
        return new Mode(
                reduced && !hidLocks && !waitedOutside,
                startIsStep || waitedOutside,
                tells,
                beginIsStep || (tells && beganAhead),
                false);
    }

    /** A run has shown that the code needs another mode. */
    static final class Unfit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Mode better;

        Unfit(Mode better) {
            super("the code needs " + better, null, false, false);
            this.better = better;
        }

        Mode better() {
            return better;
        }
    }
}
