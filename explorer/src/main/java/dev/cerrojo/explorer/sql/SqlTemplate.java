package dev.cerrojo.explorer.sql;

import dev.cerrojo.explorer.sql.SqlToken.Kind;
import java.util.ArrayList;
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

    /**
     * Finds the variables of a statement.
     *
     * <p>A variable is a colon and an ASCII letter or underscore, then letters, digits and underscores. Left alone are
     * strings, quoted identifiers, comments, {@code ::type}, {@code :=} and array slices with numbers
     * ({@code a[1:2]}). A slice between columns needs a space behind its colon: {@code a[lo : hi]}; in {@code a[lo:hi]}
     * {@code :hi} is a variable.
     *
     * @param text one statement
     * @return the template
     * @throws IllegalArgumentException when a quote or a comment does not end
     */
    public static SqlTemplate parse(String text) {
        StringBuilder jdbc = new StringBuilder();
        List<String> variables = new ArrayList<>();
        int copied = 0;
        for (SqlToken token : SqlScanner.scan(text)) {
            if (token.kind() == Kind.VARIABLE || token.kind() == Kind.OPERATOR) {
                jdbc.append(text, copied, token.start()).append(forDriver(token));
                copied = token.end();
            }
            if (token.kind() == Kind.VARIABLE) {
                variables.add(token.text().substring(1));
            }
        }
        return new SqlTemplate(text, jdbc.append(text, copied, text.length()).toString(), variables);
    }

    private static String forDriver(SqlToken token) {
        return token.kind() == Kind.VARIABLE ? "?" : token.text().replace("?", "??");
    }
}
