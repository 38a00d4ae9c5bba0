package dev.cerrojo.explorer.search;

import java.util.List;
import java.util.Optional;

/**
 * What the oracle that needs no invariant says of the schedules of a search.
 *
 * @param judged how many it was asked of; 0 when nobody asked
 * @param anomalous how many of them end as no serial order of the sessions does
 * @param undecided of how many it cannot tell
 * @param witness the shortest anomalous schedule
 * @param aborts how often PostgreSQL failed sessions
 * @param doubts what could not be compared, and why
 */
public record SerialTally(
        long judged, long anomalous, long undecided, Optional<Execution> witness, Aborts aborts, List<String> doubts) {
    /** Nobody asked. */
    public static final SerialTally NONE = new SerialTally(0, 0, 0, Optional.empty(), Aborts.NONE, List.of());

    /** Copies the doubts. */
    public SerialTally {
        doubts = List.copyOf(doubts);
    }
}
