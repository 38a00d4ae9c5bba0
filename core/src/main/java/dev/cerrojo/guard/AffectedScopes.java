package dev.cerrojo.guard;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.internal.Template;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which scopes a statement on a table may break, per event: a query over the rows before ({@code cerrojo_old}) and
 * after ({@code cerrojo_new}) with one column, {@code scope}. It may return a scope twice, never NULL.
 *
 * <p>Only scopes that a statement takes a step toward violation must touch their guard row. Let each transaction's
 * statements change the count of a scope by some amounts. The count at any commit is the count before plus the amounts
 * of all who committed; every one of them that lowered it (for at_least) held the guard row until its commit, so there
 * was one at a time, and its check counted all earlier ones. Those who did not lower it cannot have broken a lower
 * bound. The same holds for an upper bound, and for sums value by value.
 *
 * @param table the table whose statements these are
 * @param queries event → query; without an entry the event breaks nothing
 */
record AffectedScopes(SqlName table, Map<TableEvent, String> queries) {
    private static final Template CHANGED = new Template("""
            SELECT c.scope
            FROM (
              {sides}
            ) AS c
            WHERE c.scope IS NOT NULL
            {toward}""");

    private static final Template SUM_TOWARD = new Template("""
            AND c.value <> 0
            GROUP BY c.scope, c.value
            HAVING sum(c.change) <> 0 AND (sum(c.change) {direction} 0) = (c.value > 0)""");

    AffectedScopes {
        // An EnumMap, for one order of the triggers in every run.
        queries = Collections.unmodifiableMap(new EnumMap<>(queries));
    }

    /** Which rows of a table count for which scope. */
    record Side(SqlName table, String scope, Optional<String> value, Optional<String> where) {
        /** {@return the names in it, those of its columns among them} */
        Set<String> names() {
            Set<String> names = new LinkedHashSet<>(SqlText.names(scope));
            value.ifPresent(text -> names.addAll(SqlText.names(text)));
            where.ifPresent(text -> names.addAll(SqlText.names(text)));
            return names;
        }

        private String rows(String transitionTable, int change) {
            String measured = value.map(column -> column + " AS value, ").orElse("") + change + " AS change";
            String counted =
                    where.map(text -> " WHERE " + SqlText.parenthesized(text)).orElse("");
            return "SELECT %s AS scope, %s FROM %s AS %s%s"
                    .formatted(scope, measured, transitionTable, table.unqualified(), counted);
        }

        private String before() {
            return rows("cerrojo_old", -1);
        }

        private String after() {
            return rows("cerrojo_new", 1);
        }
    }

    /** {@return the scope of a row, given by a column or an expression, as SQL of type text} */
    static String scopeText(String expression) {
        return SqlText.parenthesized(expression) + "::text COLLATE \"C\"";
    }

    /** {@return the scope of every row in global scope} */
    static String globalScope() {
        return Identifiers.quoteLiteral(GuardTable.GLOBAL_SCOPE) + "::text";
    }

    /** {@return the scopes in which a statement lowers the count} */
    static AffectedScopes lowered(Side side, String allScopes) {
        String fewer = "GROUP BY c.scope HAVING sum(c.change) < 0";
        return new AffectedScopes(
                side.table(),
                Map.of(
                        TableEvent.DELETE, changed(fewer, side.before()),
                        TableEvent.UPDATE, changed(fewer, side.before(), side.after()),
                        TableEvent.TRUNCATE, allScopes));
    }

    /** {@return the scopes in which a statement raises the count} */
    static AffectedScopes raised(Side side) {
        String more = "GROUP BY c.scope HAVING sum(c.change) > 0";
        return new AffectedScopes(
                side.table(),
                Map.of(
                        TableEvent.INSERT, changed(more, side.after()),
                        TableEvent.UPDATE, changed(more, side.before(), side.after())));
    }

    /**
     * {@return the scopes in which a statement takes a value off the sum, or adds a negative one}
     *
     * <p>Values are compared, never added: that is right for NaN, infinity and rounding, too.
     */
    static AffectedScopes loweredSum(Side side, String allScopes) {
        return sum(side, allScopes, "<");
    }

    /** {@return the scopes in which a statement adds a value to the sum, or takes a negative one off} */
    static AffectedScopes raisedSum(Side side, String allScopes) {
        return sum(side, allScopes, ">");
    }

    private static AffectedScopes sum(Side side, String allScopes, String direction) {
        String toward = SUM_TOWARD.fill(Map.of("direction", direction));
        return new AffectedScopes(
                side.table(),
                Map.of(
                        TableEvent.INSERT, changed(toward, side.after()),
                        TableEvent.DELETE, changed(toward, side.before()),
                        TableEvent.UPDATE, changed(toward, side.before(), side.after()),
                        TableEvent.TRUNCATE, allScopes));
    }

    /** {@return the scopes of every row that a statement wrote, before and after} */
    static AffectedScopes written(Side side, String allScopes) {
        return new AffectedScopes(
                side.table(),
                Map.of(
                        TableEvent.INSERT, changed("", side.after()),
                        TableEvent.DELETE, changed("", side.before()),
                        TableEvent.UPDATE, changed("", side.before(), side.after()),
                        TableEvent.TRUNCATE, allScopes));
    }

    private static String changed(String toward, String... sides) {
        return CHANGED.fill(Map.of("sides", String.join("\nUNION ALL\n", sides), "toward", toward))
                .stripTrailing();
    }

    /** {@return both of the same table as one, so that a statement touches all its scopes in one order} */
    AffectedScopes and(AffectedScopes other) {
        Map<TableEvent, String> both = new EnumMap<>(queries);
        other.queries.forEach((event, query) -> both.merge(event, query, (a, b) -> a + "\nUNION ALL\n" + b));
        return new AffectedScopes(table, both);
    }
}
