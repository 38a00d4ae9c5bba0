package dev.cerrojo.explorer.scenario;

import java.util.List;

/**
 * Sessions that run at once, from the start state.
 *
 * @param sessions one to 26 of them; session 0 is printed as A, 1 as B
 */
public record Run(List<Session> sessions, Position at) {
    /** Copies the sessions. */
    public Run {
        sessions = List.copyOf(sessions);
        if (sessions.isEmpty() || sessions.size() > 26) {
            throw new IllegalArgumentException("a run must have 1 to 26 sessions, but had " + sessions.size());
        }
    }
}
