package dev.cerrojo.ownership;

import java.util.Objects;
import java.util.Optional;

/**
 * A row of an entity, or one group of its fields: what a lease on it is named by.
 *
 * <pre>{@code
 * FieldScope thumbnail = articles.scope(42, "thumbnail");
 * leases.acquire(new LeaseScope(thumbnail.entity(), thumbnail.group()));
 * }</pre>
 *
 * @param entity the row: the table and its key, {@code article/42}
 * @param group the group of fields; empty for the whole row
 */
public record FieldScope(String entity, Optional<String> group) {
    /** Checks that nothing is missing. */
    public FieldScope {
        Objects.requireNonNull(entity);
        Objects.requireNonNull(group);
    }
}
