package dev.cerrojo.explorer.repair;

import java.util.Objects;

/**
 * A way to repair a scenario.
 *
 * @param id a short name for the command line, such as {@code touch}; of a candidate of the user's, {@code user-1}
 * @param name its name for people
 * @param kind where it comes from
 * @param idea what it does, in one sentence
 */
public record Candidate(String id, String name, Kind kind, String idea) {
    /** Checks that nothing is missing. */
    public Candidate {
        Objects.requireNonNull(id);
        Objects.requireNonNull(name);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(idea);
    }

    /** Where a candidate comes from. */
    public enum Kind {
        /** One that Cerrojo builds because it may hold. */
        CANDIDATE,
        /** A popular idea that mostly does not hold; tried to show why. */
        KNOWN_BAD,
        /** From the scenario's {@code repairs}. */
        USER
    }
}
