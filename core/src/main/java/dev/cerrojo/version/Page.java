package dev.cerrojo.version;

import java.util.List;
import java.util.Optional;

/**
 * A page of a history, the newest first.
 *
 * @param entries what is on it
 * @param next where the next page begins; empty when this is the last one
 * @param <E> what the history is of
 */
public record Page<E>(List<E> entries, Optional<PageCursor> next) {
    /** Copies the entries. */
    public Page {
        entries = List.copyOf(entries);
    }
}
