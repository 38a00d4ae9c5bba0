package dev.cerrojo.explorer.serial;

import java.util.List;
import java.util.Optional;

/** Runs sessions one after another. */
@FunctionalInterface
public interface SerialRunner {
    /**
     * Runs some sessions from the start state, each from its begin to its end before the next one begins, and puts the start
     * state back.
     *
     * @param turns who, in which order; a session that is not named does not run
     * @return what was seen, with a part for every session, {@link Part#NONE} for those that did not run; nothing when a
     *     unit that was to run did not take effect
     */
    Optional<Observation> run(List<Turn> turns);

    /**
     * One session's turn.
     *
     * @param session the session, from 0
     * @param units which units of its program it runs, ascending, at least one
     */
    record Turn(int session, List<Integer> units) {
        /** Copies the units. */
        public Turn {
            units = List.copyOf(units);
        }
    }
}
