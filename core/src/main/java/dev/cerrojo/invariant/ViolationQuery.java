package dev.cerrojo.invariant;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The query that returns the violating rows of an invariant.
 *
 * <p>A condition of the user's names columns without qualification. So each stands in a sub-query of its own over its
 * one table, {@code (SELECT * FROM on_call WHERE (active))}, with nothing else in sight: a column that two tables share
 * cannot be taken for the other's, and a misspelt one is an error rather than a column of an outer query.
 */
final class ViolationQuery {
    private final Invariant invariant;

    ViolationQuery(Invariant invariant) {
        this.invariant = invariant;
    }

    String all() {
        return query(Optional.empty());
    }

    String forScope(String scopeValue) {
        return query(Optional.of(scopeValue));
    }

    private String query(Optional<String> scopeValue) {
        Rule rule = invariant.rule();
        if (rule instanceof Rule.Counting counting) {
            return counting(Measure.of(counting), counting.of(), scopeValue);
        } else if (rule instanceof Rule.Unique unique) {
            return duplicates(unique);
        } else if (rule instanceof Rule.NoOverlap noOverlap) {
            return overlaps(noOverlap);
        }
        return violatedBy((Rule.ViolatedBy) rule);
    }

    private String counting(Measure measure, Rule.Rows of, Optional<String> scopeValue) {
        return invariant.scope() instanceof Scope.Table scope
                ? perScope(measure, of, scope, scopeValue)
                : globally(measure, of);
    }

    private static String globally(Measure measure, Rule.Rows of) {
        return """
                SELECT r.%1$s, %3$s AS %4$s
                FROM (SELECT %2$s AS %1$s FROM %5$s AS t) AS r
                WHERE r.%1$s %6$s %3$s""".formatted(
                        measure.name(),
                        measure.aggregate(),
                        measure.bound(),
                        measure.boundName(),
                        filtered(Declaration.table("table", of.table()), of.where()),
                        measure.violatedWhen());
    }

    private String perScope(Measure measure, Rule.Rows of, Scope.Table scope, Optional<String> scopeValue) {
        String key = Declaration.column("key", scope.key()).sql();
        // The planner hands "s.key = value" on to the grouped side: with an index on the scope column, one scope is
        // counted without reading the others.
        return """
                SELECT s.%1$s, coalesce(r.%2$s, 0) AS %2$s, %3$s AS %4$s
                FROM %5$s AS s
                LEFT JOIN (
                  SELECT t.%6$s AS scope, %7$s AS %2$s
                  FROM %8$s AS t
                  GROUP BY t.%6$s
                ) AS r ON r.scope = s.%1$s
                WHERE %9$s AND coalesce(r.%2$s, 0) %10$s %3$s
                ORDER BY s.%1$s""".formatted(
                key,
                measure.name(),
                measure.bound(),
                measure.boundName(),
                filtered(Declaration.table("table", scope.table()), invariant.where()),
                Declaration.column("column", of.scopeColumn().orElseThrow()).sql(),
                measure.aggregate(),
                filtered(Declaration.table("table", of.table()), of.where()),
                "s." + key + scopeValue.map(value -> " = " + value).orElse(" IS NOT NULL"),
                measure.violatedWhen());
    }

    private static String duplicates(Rule.Unique unique) {
        List<String> columns = unique.columns().stream()
                .map(column -> "t." + Declaration.column("column", column).sql())
                .toList();
        String list = String.join(", ", columns);
        return """
                SELECT %1$s, count(*) AS rows
                FROM %2$s AS t
                WHERE %3$s
                GROUP BY %1$s
                HAVING count(*) > 1
                ORDER BY %1$s""".formatted(
                        list,
                        filtered(Declaration.table("table", unique.table()), unique.where()),
                        columns.stream().map(column -> column + " IS NOT NULL").collect(Collectors.joining(" AND ")));
    }

    private static String overlaps(Rule.NoOverlap rule) {
        List<Rule.NoOverlap.Element> elements = rule.elements();
        SqlName table = Declaration.table("table", rule.table());
        String side = IntStream.range(0, elements.size())
                .mapToObj(i -> SqlText.parenthesized(elements.get(i).expression()) + " AS e" + (i + 1))
                .collect(Collectors.joining(
                        ", ",
                        "SELECT tableoid AS t, ctid AS c, ",
                        ", to_jsonb(%s.*) AS r FROM %s%s"
                                .formatted(table.unqualified(), table.sql(), where(rule.where()))));
        String overlap = IntStream.range(0, elements.size())
                .mapToObj(i ->
                        "a.e%1$d %2$s b.e%1$d".formatted(i + 1, elements.get(i).operator()))
                .collect(Collectors.joining(" AND "));
        // A table may lack a key: two rows are told apart by where they are stored.
        return """
                SELECT a.r AS "row", b.r AS overlaps
                FROM (%1$s) AS a
                JOIN (%1$s) AS b ON (a.t, a.c) < (b.t, b.c)
                WHERE %2$s
                ORDER BY a.t, a.c, b.t, b.c""".formatted(side, overlap);
    }

    private String violatedBy(Rule.ViolatedBy rule) {
        String sql = SqlText.withoutTrailingSemicolon(rule.sql());
        if (invariant.where().isEmpty() || !(invariant.scope() instanceof Scope.Table scope)) {
            return sql;
        }
        return """
                SELECT v.*
                FROM %1$s AS v
                WHERE v.%2$s IN (SELECT %2$s FROM %3$s%4$s)""".formatted(
                        SqlText.parenthesized(sql),
                        Declaration.column("key", scope.key()).sql(),
                        Declaration.table("table", scope.table()).sql(),
                        where(invariant.where()));
    }

    private static String filtered(SqlName table, Optional<String> where) {
        return "(SELECT * FROM " + table.sql() + where(where) + ")";
    }

    private static String where(Optional<String> condition) {
        return condition.map(text -> " WHERE " + SqlText.parenthesized(text)).orElse("");
    }

    /**
     * What a counting rule measures.
     *
     * @param name the name of the column that shows it
     * @param aggregate the expression over the rows {@code t}
     * @param violatedWhen the operator between it and the bound
     */
    private record Measure(String name, String aggregate, String bound, String boundName, String violatedWhen) {
        static Measure of(Rule.Counting rule) {
            if (rule instanceof Rule.AtLeast atLeast) {
                return new Measure("count", "count(*)", Long.toString(atLeast.bound()), "at_least", "<");
            } else if (rule instanceof Rule.AtMost atMost) {
                return new Measure("count", "count(*)", Long.toString(atMost.bound()), "at_most", ">");
            } else if (rule instanceof Rule.SumAtLeast sum) {
                return new Measure("sum", sum(sum.column()), sum.bound().toPlainString(), "at_least", "<");
            }
            Rule.SumAtMost sum = (Rule.SumAtMost) rule;
            return new Measure("sum", sum(sum.column()), sum.bound().toPlainString(), "at_most", ">");
        }

        private static String sum(String column) {
            String name = Identifiers.quote(Declaration.column("column", column).name());
            return "coalesce(sum(t." + name + "), 0)";
        }
    }
}
