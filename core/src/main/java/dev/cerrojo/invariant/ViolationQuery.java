package dev.cerrojo.invariant;

import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.internal.Template;
import java.util.List;
import java.util.Map;
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
    private static final Template GLOBALLY = new Template("""
            SELECT r.{name}, {bound} AS {limit}
            FROM (SELECT {aggregate} AS {name} FROM {rows} AS t) AS r
            WHERE r.{name} {operator} {bound}""");

    /**
     * The planner hands "s.key = value" on to the grouped side: with an index on the scope column, one scope is counted
     * without reading the others.
     */
    private static final Template PER_SCOPE = new Template("""
            SELECT s.{key}, coalesce(r.{name}, 0) AS {name}, {bound} AS {limit}
            FROM {scopes} AS s
            LEFT JOIN (
              SELECT t.{column} AS scope, {aggregate} AS {name}
              FROM {rows} AS t
              GROUP BY t.{column}
            ) AS r ON r.scope = s.{key}
            WHERE s.{key} {which} AND coalesce(r.{name}, 0) {operator} {bound}
            ORDER BY s.{key}""");

    private static final Template DUPLICATES = new Template("""
            SELECT {columns}, count(*) AS rows
            FROM {rows} AS t
            WHERE {present}
            GROUP BY {columns}
            HAVING count(*) > 1
            ORDER BY {columns}""");

    /** A table may lack a key: two rows are told apart by where they are stored. */
    private static final Template OVERLAPS = new Template("""
            SELECT a.r AS "row", b.r AS overlaps
            FROM ({side}) AS a
            JOIN ({side}) AS b ON (a.t, a.c) < (b.t, b.c)
            WHERE {overlap}
            ORDER BY a.t, a.c, b.t, b.c""");

    private static final Template OVERLAP_SIDE =
            new Template("SELECT tableoid AS t, ctid AS c, to_jsonb({name}.*) AS r, {elements} FROM {table}{where}");

    private static final Template OF_SCOPES = new Template("""
            SELECT v.*
            FROM {query} AS v
            WHERE v.{key} IN (SELECT {key} FROM {table}{where})""");

    private final Invariant invariant;

    ViolationQuery(Invariant invariant) {
        this.invariant = invariant;
    }

    String all() {
        return query("IS NOT NULL");
    }

    String forScope(String scopeValue) {
        return query("= " + scopeValue);
    }

    private String query(String which) {
        Rule rule = invariant.rule();
        if (rule instanceof Rule.Counting counting) {
            return invariant.scope() instanceof Scope.Table scope
                    ? perScope(counting, scope, which)
                    : globally(counting);
        } else if (rule instanceof Rule.Unique unique) {
            return duplicates(unique);
        } else if (rule instanceof Rule.NoOverlap noOverlap) {
            return overlaps(noOverlap);
        }
        return violatedBy((Rule.ViolatedBy) rule);
    }

    private static String globally(Rule.Counting rule) {
        Measure measure = Measure.of(rule);
        return GLOBALLY.fill(Map.of(
                "name", measure.name(),
                "aggregate", measure.aggregate(),
                "operator", measure.operator(),
                "bound", measure.bound(),
                "limit", measure.limit(),
                "rows", FilteredTable.of(rule.of()).sql()));
    }

    private String perScope(Rule.Counting rule, Scope.Table scope, String which) {
        Measure measure = Measure.of(rule);
        return PER_SCOPE.fill(Map.of(
                "name", measure.name(),
                "aggregate", measure.aggregate(),
                "operator", measure.operator(),
                "bound", measure.bound(),
                "limit", measure.limit(),
                "rows", FilteredTable.of(rule.of()).sql(),
                "column", SqlName.of(rule.of().scopeColumn().orElseThrow()).sql(),
                "scopes", new FilteredTable(scope.table(), invariant.where()).sql(),
                "key", SqlName.of(scope.key()).sql(),
                "which", which));
    }

    private static String duplicates(Rule.Unique rule) {
        List<String> columns = rule.columns().stream()
                .map(column -> "t." + SqlName.of(column).sql())
                .toList();
        return DUPLICATES.fill(Map.of(
                "columns",
                String.join(", ", columns),
                "present",
                columns.stream().map(column -> column + " IS NOT NULL").collect(Collectors.joining(" AND ")),
                "rows",
                new FilteredTable(rule.table(), rule.where()).sql()));
    }

    private static String overlaps(Rule.NoOverlap rule) {
        List<Rule.NoOverlap.Element> elements = rule.elements();
        SqlName table = SqlName.of(rule.table());
        String side = OVERLAP_SIDE.fill(Map.of(
                "name",
                table.unqualified(),
                "table",
                table.sql(),
                "where",
                FilteredTable.where(rule.where()),
                "elements",
                IntStream.range(0, elements.size())
                        .mapToObj(i -> SqlText.parenthesized(elements.get(i).expression()) + " AS e" + i)
                        .collect(Collectors.joining(", "))));
        String overlap = IntStream.range(0, elements.size())
                .mapToObj(i -> "a.e" + i + " " + elements.get(i).operator() + " b.e" + i)
                .collect(Collectors.joining(" AND "));
        return OVERLAPS.fill(Map.of("side", side, "overlap", overlap));
    }

    private String violatedBy(Rule.ViolatedBy rule) {
        String sql = SqlText.withoutTrailingSemicolon(rule.sql());
        if (invariant.where().isEmpty() || !(invariant.scope() instanceof Scope.Table scope)) {
            return sql;
        }
        return OF_SCOPES.fill(Map.of(
                "query", SqlText.parenthesized(sql),
                "key", SqlName.of(scope.key()).sql(),
                "table", SqlName.of(scope.table()).sql(),
                "where", FilteredTable.where(invariant.where())));
    }
}
