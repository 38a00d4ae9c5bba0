package dev.cerrojo.cli;

import java.util.List;

/** What a command ends with. */
final class ExitCode {
    /** The invariant holds, or everything is as expected. */
    static final int OK = 0;
    /** The invariant is violated, or an expectation is not met. */
    static final int VIOLATED = 1;
    /** The command line or a file is wrong. */
    static final int USAGE = 2;
    /** The server, its binaries or a connection failed. */
    static final int ENVIRONMENT = 3;
    /** A mistake of Cerrojo's own. */
    static final int INTERNAL = 4;
    /** A bound was hit, or a schedule diverged. */
    static final int INCONCLUSIVE = 5;
    /** Ctrl-C. */
    static final int INTERRUPTED = 130;

    private static final List<Integer> WORST_FIRST =
            List.of(INTERRUPTED, INTERNAL, ENVIRONMENT, USAGE, VIOLATED, INCONCLUSIVE, OK);

    private ExitCode() {}

    /** {@return the one that counts when several files end with different ones} */
    static int worst(int one, int other) {
        return WORST_FIRST.indexOf(one) < WORST_FIRST.indexOf(other) ? one : other;
    }
}
