package dev.cerrojo.explorer.search;

import dev.cerrojo.explorer.schedule.Chooser;
import java.util.List;

/** What is explored: sessions that can be run again and again from one start state. */
public interface Subject {
    /**
     * Runs the sessions once, looks at the invariants, and puts the start state back.
     *
     * @param chooser gives the order
     * @return what was seen
     * @throws dev.cerrojo.explorer.schedule.Diverged if the chooser could not be followed
     * @throws dev.cerrojo.explorer.schedule.Unsettled if a step did not come to an end
     */
    Execution execute(Chooser chooser);

    /** {@return how many sessions it has} */
    int sessions();

    /**
     * {@return whether what steps touch can be told from PostgreSQL's lock table; without, every schedule must be run}
     */
    default boolean isReducible() {
        return true;
    }

    /**
     * {@return whether it can be told in which order transactions began: by {@code now()}, which is the time of their first
     * statement}
     */
    default boolean ordersBeginnings() {
        return false;
    }

    /**
     * {@return whether a chooser's deadlock timers are heeded; without, the victims of deadlocks are PostgreSQL's choice, and
     * not all of them may be seen}
     */
    default boolean controlsVictims() {
        return true;
    }

    /** {@return what of serial equivalence could not be judged in the schedules run so far, and why} */
    default List<String> doubts() {
        return List.of();
    }

    /** {@return whether serial equivalence is its only rule, so that a verdict needs every schedule to be judged} */
    default boolean isJudgedBySerialOrders() {
        return false;
    }
}
