package dev.cerrojo.version;

import java.time.Instant;
import java.util.List;

/**
 * What an editor saved in one transaction.
 *
 * @param entity of what
 * @param number 1, 2, … without gaps for each entity; the first ones may have been purged
 * @param by who
 * @param at when it was last added to, by the database's clock
 * @param fields the names of the fields that it changed, in order; what the key's columns are among them, the entity was made or
 *     deleted
 * @param changes a JSON object: field → {@code {"before": …, "after": …}}; without {@code before} the field is new, without {@code
 *     after} it is gone
 */
public record Version(Entity entity, long number, String by, Instant at, List<String> fields, String changes) {
    /** Copies the fields. */
    public Version {
        fields = List.copyOf(fields);
    }
}
