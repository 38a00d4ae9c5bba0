package dev.cerrojo.explorer.serial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table or of a query's result. Their order does not count.
 *
 * @param columns the columns
 * @param rows for each row a text per column, null for SQL NULL
 */
public record Rows(List<Column> columns, List<List<@Nullable String>> rows) {
    /**
     * A column.
     *
     * @param name its name
     * @param surrogate where its values come from, when they mean nothing but themselves: a sequence, the clock. Columns that
     *     take values from the same place, by a foreign key too, name it alike
     */
    public record Column(String name, Optional<String> surrogate) {
        /**
         * A column whose values mean what they say.
         *
         * @param name its name
         * @return the column
         */
        public static Column plain(String name) {
            return new Column(name, Optional.empty());
        }
    }

    /** Copies the lists, and checks that each row has a value per column. */
    public Rows {
        columns = List.copyOf(columns);
        List<List<@Nullable String>> copy = new ArrayList<>();
        for (List<@Nullable String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "a row must have " + columns.size() + " values, but had " + row.size() + ": " + row);
            }
            copy.add(Collections.unmodifiableList(new ArrayList<>(row)));
        }
        rows = Collections.unmodifiableList(copy);
    }

    /**
     * One value, of no table.
     *
     * @param name what it is
     * @param value the value
     * @return one row of one column
     */
    public static Rows of(String name, String value) {
        return new Rows(List.of(Column.plain(name)), List.of(List.of(value)));
    }
}
