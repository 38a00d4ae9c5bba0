package dev.cerrojo.version;

import java.time.Instant;
import java.util.List;

/**
 * What the system wrote in one transaction, or an editor under a {@link Suppression}.
 *
 * @param entity of what
 * @param id grows in the order in which entries were begun, over all entities and with gaps
 * @param by who
 * @param at when it was last added to, by the database's clock
 * @param fields the names of the fields that were changed, in order
 * @param changes a JSON object, as of a {@link Version}
 */
public record LogEntry(Entity entity, long id, String by, Instant at, List<String> fields, String changes) {
    /** Copies the fields. */
    public LogEntry {
        fields = List.copyOf(fields);
    }
}
