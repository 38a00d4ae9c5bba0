package dev.cerrojo.invariant;

import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import java.util.Optional;

/**
 * Some rows of a table, as a sub-query with nothing else in sight.
 *
 * @param table its name, checked before
 * @param where which rows; none means all
 */
record FilteredTable(String table, Optional<String> where) {
    static FilteredTable of(Rule.Rows rows) {
        return new FilteredTable(rows.table(), rows.where());
    }

    String sql() {
        return "(SELECT * FROM " + SqlName.of(table).sql() + where(where) + ")";
    }

    /** {@return the clause; nothing without a condition} */
    static String where(Optional<String> condition) {
        return condition.map(text -> " WHERE " + SqlText.parenthesized(text)).orElse("");
    }
}
