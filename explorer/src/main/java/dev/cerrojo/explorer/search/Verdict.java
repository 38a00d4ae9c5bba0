package dev.cerrojo.explorer.search;

import java.util.Locale;

/** What an exploration says of the invariants. */
public enum Verdict {
    /** Every schedule was run, and at the end of none was an invariant violated. */
    HOLDS,
    /** At the end of some schedule an invariant was violated. */
    VIOLATED,
    /** No violation was seen, but not every schedule was run. */
    INCONCLUSIVE;

    /** {@return the word for people and files: {@code holds}} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
