package dev.cerrojo.explorer.sql;

import java.util.List;

/**
 * SQL with named variables ({@code :name}), which are bound and never spliced into the text.
 *
 * @param text the SQL as written
 * @param jdbc the same with {@code ?} for each variable, and every other question mark doubled for the driver
 * @param variables the variable of each {@code ?}, in order; a name may come more than once
 */
public record SqlTemplate(String text, String jdbc, List<String> variables) {
    /** Copies the variables. */
    public SqlTemplate {
        variables = List.copyOf(variables);
    }
}
