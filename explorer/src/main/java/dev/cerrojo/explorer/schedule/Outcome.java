package dev.cerrojo.explorer.schedule;

/** What a session ended with. */
public sealed interface Outcome {
    /** Everything was done and committed. */
    record Committed() implements Outcome {
        @Override
        public String toString() {
            return "committed";
        }
    }

    /** A check of the program's own said no. */
    record Refused(String reason) implements Outcome {
        @Override
        public String toString() {
            return "refused (" + reason + ")";
        }
    }

    /** PostgreSQL failed a statement, and no retry was left. */
    record Failed(String sqlState, String message) implements Outcome {
        @Override
        public String toString() {
            return "failed (" + sqlState + ")";
        }
    }

    /** It would have waited for ever: for a lock that nobody was going to release, in a way PostgreSQL cannot see. */
    record Stuck() implements Outcome {
        @Override
        public String toString() {
            return "waits for ever";
        }
    }

    /** The client died. */
    record Crashed() implements Outcome {
        @Override
        public String toString() {
            return "crashed";
        }
    }

    /** The client lost its connection while it waited for the answer to a COMMIT, and does not know whether it was done. */
    record Unknown() implements Outcome {
        @Override
        public String toString() {
            return "unknown (the answer was lost)";
        }
    }
}
