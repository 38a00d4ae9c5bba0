package dev.cerrojo.explorer.schedule;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Makes the choices of one schedule. */
public interface Chooser {
    /** Gives each turn to the first session that can take it, and leaves the victims of deadlocks to PostgreSQL. */
    Chooser FIRST = (position, options, last, pending) -> options.get(0);

    /** Is called before each attempt to follow the same schedule: what was seen in an attempt before counts no more. */
    default void restart() {}

    /**
     * Gives the next turn.
     *
     * @param position how many choices were made before
     * @param options the sessions that can take it, at least one, in their order; then, by {@linkplain Choice#option() other
     *     numbers}, the faults that can befall them
     * @param last the session that had the turn before; -1 at the start
     * @param pending what each option would do
     * @return one of the options
     * @throws Diverged if the schedule to be followed cannot go on here
     */
    int turn(int position, List<Integer> options, int last, Map<Integer, StepInfo> pending);

    /**
     * Is told of a deadlock's end. By default whoever PostgreSQL fails is the victim.
     *
     * @param position how many choices were made before
     * @param deadlock what PostgreSQL did
     * @throws Diverged if another victim was wanted
     */
    default void victim(int position, Deadlock deadlock) {}

    /** {@return whether {@link #moved} wants to know what each turn touched; asking costs a round trip a turn} */
    default boolean wantsFootprints() {
        return false;
    }

    /**
     * Is told what the last turn did, before the next choice.
     *
     * @param move what it did
     */
    default void moved(Move move) {}

    /**
     * Sets the timer by which the victim of a deadlock is chosen.
     *
     * @param session the session about to take a step
     * @param step how many steps it was given before: its own count, from 0
     * @return {@code deadlock_timeout} for that step, in milliseconds; empty for the default
     */
    default OptionalInt deadlockTimeoutMillis(int session, int step) {
        return OptionalInt.empty();
    }
}
