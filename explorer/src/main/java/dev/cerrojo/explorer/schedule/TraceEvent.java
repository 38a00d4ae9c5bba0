package dev.cerrojo.explorer.schedule;

import java.util.List;

/** One thing that happened while a schedule ran. */
public sealed interface TraceEvent {
    /** {@return the session it happened to} */
    int session();

    /** A session was given its turn. */
    record Started(int session, StepInfo step) implements TraceEvent {}

    /** The session's step is done. */
    record Finished(int session, StepInfo step, StepResult result) implements TraceEvent {}

    /** The session's step waits for locks. */
    record Waits(int session, StepInfo step, List<Integer> blockers) implements TraceEvent {
        /** Copies the blockers. */
        public Waits {
            blockers = List.copyOf(blockers);
        }
    }

    /** Something that is no step. */
    record Note(int session, String text) implements TraceEvent {}

    /** PostgreSQL found a deadlock. */
    record DeadlockFound(int session, List<Integer> members) implements TraceEvent {
        /** Copies the members. */
        public DeadlockFound {
            members = List.copyOf(members);
        }
    }

    /** The session is done. */
    record Ended(int session, Outcome outcome) implements TraceEvent {}
}
