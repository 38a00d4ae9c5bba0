package dev.cerrojo.explorer.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An invariant that did not hold at the end of a schedule.
 *
 * @param invariant its name
 * @param columns the columns of the violating rows
 * @param rows the first violating rows, as text; a value is null for SQL NULL
 * @param count how many rows there were
 */
public record Violation(String invariant, List<String> columns, List<List<@Nullable String>> rows, long count) {
    /** Copies the lists. */
    public Violation {
        columns = List.copyOf(columns);
        List<List<@Nullable String>> copy = new ArrayList<>();
        rows.forEach(row -> copy.add(Collections.unmodifiableList(new ArrayList<>(row))));
        rows = Collections.unmodifiableList(copy);
    }
}
