package dev.cerrojo.internal;

import dev.cerrojo.RowGoneException;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.UpdateSuppressedException;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Which row it is about.
 *
 * @param table the table, as SQL text
 * @param columns the columns of the key
 * @param key its values
 */
public record RowId(String table, List<String> columns, List<Object> key) {
    /** Checks that each column has a value. */
    public RowId {
        if (columns.size() != key.size()) {
            throw new IllegalArgumentException("key of %s must have %d values, for %s, but has %d: %s"
                    .formatted(table, columns.size(), String.join(", ", columns), key.size(), key));
        }
    }

    /** {@return the row of a key; a {@link List} of values where it has several columns} */
    public static RowId of(String table, List<String> columns, Object key) {
        List<?> values = key instanceof List<?> several ? several : List.of(key);
        return new RowId(table, columns, List.<Object>copyOf(values));
    }

    /** {@return that it is not there} */
    public RowGoneException gone() {
        return new RowGoneException(toString(), table, key);
    }

    /** {@return that it is at another version than expected} */
    public StaleVersionException stale(long expected, Optional<Long> present) {
        return new StaleVersionException(toString(), table, key, expected, present);
    }

    /** {@return that something keeps it from being changed} */
    public UpdateSuppressedException suppressed(Optional<Long> version) {
        String found =
                version.map(at -> " is at version " + at + ", as expected").orElse(" is there");
        return new UpdateSuppressedException(this + found, table, key);
    }

    /** {@return that the key is none, since several rows were changed by it} */
    public IllegalArgumentException notUnique(int rows) {
        return new IllegalArgumentException(
                "%s is no key, since %d rows have it; roll back, for all of them were changed".formatted(this, rows));
    }

    /** {@return it as a message names it: {@code article id=7}} */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", table + " ", "");
        for (int i = 0; i < columns.size(); i++) {
            text.add(columns.get(i) + "=" + key.get(i));
        }
        return text.toString();
    }
}
