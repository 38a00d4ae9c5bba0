package dev.cerrojo.invariant;

import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import java.util.Objects;
import java.util.Optional;

/** Checks the SQL text that an invariant is declared with, as far as that is possible without the database. */
final class Declaration {
    private Declaration() {}

    static SqlName table(String what, String text) {
        return name(what, text, "a table name, such as on_call, app.on_call or \"OnCall\"");
    }

    static SqlName column(String what, String text) {
        SqlName column = name(what, text, "a column name, such as shift_id or \"shiftId\"");
        require(column.schema().isEmpty(), "%s must be a column name without its table, but was %s", what, text);
        return column;
    }

    private static SqlName name(String what, String text, String allowed) {
        Objects.requireNonNull(text, what);
        return SqlName.parse(text)
                .orElseThrow(() ->
                        new InvalidInvariantException("%s must be %s, but was: %s".formatted(what, allowed, text)));
    }

    static void condition(String what, Optional<String> condition) {
        condition.ifPresent(text -> expression(what, text));
    }

    static void conditionWithoutSubQuery(String what, Optional<String> condition) {
        condition(what, condition);
        condition.ifPresent(text -> require(
                !SqlText.hasSubQuery(text),
                "%s must read one row only, but has a sub-query: %s; write the invariant as violated_by, with watches"
                        + " that name every table whose changes can violate it",
                what,
                text));
    }

    static void expression(String what, String text) {
        SqlText.problemOfExpression(text).ifPresent(problem -> {
            throw new InvalidInvariantException(
                    "%s must be one SQL expression, but %s: %s".formatted(what, problem, text));
        });
    }

    static void query(String what, String text) {
        SqlText.problemOfQuery(text).ifPresent(problem -> {
            throw new InvalidInvariantException(
                    "%s must be one query that returns the violating rows, but %s: %s".formatted(what, problem, text));
        });
    }

    static void require(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new InvalidInvariantException(message.formatted(values));
        }
    }
}
