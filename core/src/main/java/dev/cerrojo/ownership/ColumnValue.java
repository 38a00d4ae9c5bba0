package dev.cerrojo.ownership;

import dev.cerrojo.internal.Identifiers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A column and what is to be in it.
 *
 * @param column its name
 * @param value as JDBC binds it; text as the column's type reads it
 */
record ColumnValue(String column, @Nullable Object value) {
    /** {@return the column with a value of the caller's: arrays and collections become the text of an array} */
    static ColumnValue of(String column, @Nullable Object value) {
        if (value instanceof Object[] array) {
            return new ColumnValue(column, arrayText(Arrays.asList(array)));
        }
        return new ColumnValue(column, value instanceof Collection<?> several ? arrayText(several) : value);
    }

    private static String arrayText(Collection<?> elements) {
        return elements.stream().map(ColumnValue::elementText).collect(Collectors.joining(",", "{", "}"));
    }

    /** In quotes, in which only these two must be escaped. Source: PostgreSQL documentation, "Array Input Syntax". */
    private static String elementText(@Nullable Object element) {
        return element == null
                ? "NULL"
                : '"' + element.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** {@return a value that was read, arrays as lists} */
    static @Nullable Object read(@Nullable Object value) throws SQLException {
        return value instanceof java.sql.Array array && array.getArray() instanceof Object[] elements
                ? Collections.unmodifiableList(new ArrayList<@Nullable Object>(Arrays.asList(elements)))
                : value;
    }

    /** {@return SQL that sets it, with one place} */
    String setting() {
        return sql() + " = ?";
    }

    /**
     * {@return SQL that asks whether the row has another value, with one place; without any for NULL}
     *
     * <p>Numbers are compared as numbers. All else as PostgreSQL writes it, since not every type can be compared (JSON), and where
     * equal is not the same (text that ignores case) a change would be taken for none.
     */
    String differs() {
        if (value == null) {
            return sql() + " IS NOT NULL";
        }
        return value instanceof Number
                ? sql() + " IS DISTINCT FROM ?"
                : "%1$s::text COLLATE \"C\" IS DISTINCT FROM (CASE WHEN false THEN %1$s ELSE ? END)::text COLLATE \"C\""
                        .formatted(sql());
    }

    /** {@return what is bound for {@link #differs}} */
    List<Object> bound() {
        return value == null ? List.of() : List.of(value);
    }

    private String sql() {
        return Identifiers.quote(column);
    }
}
