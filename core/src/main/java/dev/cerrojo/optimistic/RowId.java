package dev.cerrojo.optimistic;

import java.util.List;
import java.util.StringJoiner;

/**
 * Which row it is about.
 *
 * @param table the table, as SQL text
 * @param columns the columns of the key
 * @param key its values
 */
record RowId(String table, List<String> columns, List<Object> key) {
    RowId {
        if (columns.size() != key.size()) {
            throw new IllegalArgumentException("key of %s must have %d values, for %s, but has %d: %s"
                    .formatted(table, columns.size(), String.join(", ", columns), key.size(), key));
        }
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
