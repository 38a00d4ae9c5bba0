package dev.cerrojo.ownership;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a write did.
 *
 * @param changed whether the row was written; false when it had all the values already
 * @param version the version that it is at now; empty when the entity has none, or it is NULL
 * @param merged what became of shared fields, by field, arrays as {@link java.util.List}
 */
@SuppressWarnings("exports") // users need no JSpecify
public record Written(boolean changed, Optional<Long> version, Map<String, @Nullable Object> merged) {
    /** Copies the values. */
    public Written {
        merged = Collections.unmodifiableMap(new LinkedHashMap<>(merged));
    }
}
