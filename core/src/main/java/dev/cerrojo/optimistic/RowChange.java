package dev.cerrojo.optimistic;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the new values of a row from those that it has. It may be applied several times, each time to what is there then.
 *
 * @param <X> what it throws to leave the row as it is
 */
@FunctionalInterface
@SuppressWarnings("exports") // users need no JSpecify
public interface RowChange<X extends Exception> {
    /**
     * {@return the new values by column; empty to leave the row as it is}
     *
     * @param row the values by column, as {@link java.sql.ResultSet#getObject(int)} gives them, key and version included
     * @throws X to leave the row as it is
     */
    Map<String, ? extends @Nullable Object> apply(Map<String, @Nullable Object> row) throws X;
}
