package dev.cerrojo.explorer.database;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run left behind.
 *
 * @param rows for each table its rows, as one text per column, null for SQL NULL
 * @param pages what it did to the pages of tables and indexes, where that was asked
 * @param restored whether rows and sequences are back, which is enough; not when somebody did DDL
 */
public record Left(List<List<List<@Nullable String>>> rows, Pages pages, boolean restored) {
    /** Copies the list of tables. */
    public Left {
        rows = List.copyOf(rows);
    }
}
