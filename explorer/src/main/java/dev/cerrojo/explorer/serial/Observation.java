package dev.cerrojo.explorer.serial;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run ended with, as far as anybody outside can tell.
 *
 * @param tables the final rows of every table, by name
 * @param parts what each session committed, in the order of the sessions
 */
public record Observation(Map<String, Rows> tables, List<Part> parts) {
    /** Copies the collections. */
    public Observation {
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
        parts = List.copyOf(parts);
    }
}
