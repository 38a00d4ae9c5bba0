package dev.cerrojo.invariant;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How far each scope of a counting rule is from violating its invariant.
 *
 * <pre>{@code
 * String sql = MarginQuery.of(coverage).orElseThrow().sql(20);
 * }</pre>
 *
 * @param invariant an invariant with a {@link Rule.Counting} rule
 */
public record MarginQuery(Invariant invariant) {
    private static final Template PER_SCOPE = new Template("""
            SELECT m.scope, m.value, {bound} AS bound, {margin} AS margin, m.value {operator} {bound} AS violated
            FROM (
              SELECT s.{key}::text AS scope, s.{key} AS key, coalesce(r.value, 0) AS value
              FROM {scopes} AS s
              LEFT JOIN (
                SELECT t.{column} AS scope, {aggregate} AS value
                FROM {rows} AS t
                GROUP BY t.{column}
              ) AS r ON r.scope = s.{key}
              WHERE s.{key} IS NOT NULL
            ) AS m
            ORDER BY violated DESC, margin, m.key
            LIMIT {most}""");

    private static final Template GLOBALLY = new Template("""
            SELECT {global} AS scope, m.value, {bound} AS bound, {margin} AS margin, m.value {operator} {bound} AS violated
            FROM (SELECT {aggregate} AS value FROM {rows} AS t) AS m""");

    /**
     * Checks that the rule has a distance.
     *
     * @throws InvalidInvariantException when it has none
     */
    public MarginQuery {
        Declaration.require(
                invariant.rule() instanceof Rule.Counting,
                "invariant %s has no margin, since it neither counts nor sums: it only holds or does not",
                invariant.name());
    }

    /** {@return the query of an invariant; empty for a rule that has no distance, only holds or does not} */
    public static Optional<MarginQuery> of(Invariant invariant) {
        return invariant.rule() instanceof Rule.Counting ? Optional.of(new MarginQuery(invariant)) : Optional.empty();
    }

    /**
     * {@return the query}
     *
     * <p>Its columns: {@code scope}, the key as text ({@code global} in global scope); {@code value}, the count or the
     * sum; {@code bound}; {@code margin}, by how much the value may still move toward the bound, 0 when at it and negative
     * beyond it; {@code violated}, which tells it for NaN, too. One row per scope that the invariant applies to, the nearest first. It takes no lock, so it says what
     * was committed when it ran.
     *
     * @param most how many scopes at most
     */
    public String sql(int most) {
        Rule.Counting rule = (Rule.Counting) invariant.rule();
        Measure measure = Measure.of(rule);
        Map<String, String> places = new HashMap<>(Map.of(
                "bound", measure.bound(),
                "margin", measure.margin("m.value"),
                "operator", measure.operator(),
                "aggregate", measure.aggregate(),
                "rows", FilteredTable.of(rule.of()).sql()));
        if (!(invariant.scope() instanceof Scope.Table scope)) {
            places.put("global", Identifiers.quoteLiteral(GuardTable.GLOBAL_SCOPE) + "::text");
            return GLOBALLY.fill(places);
        }
        places.put("key", SqlName.of(scope.key()).sql());
        places.put("scopes", new FilteredTable(scope.table(), invariant.where()).sql());
        places.put("column", SqlName.of(rule.of().scopeColumn().orElseThrow()).sql());
        places.put("most", Integer.toString(most));
        return PER_SCOPE.fill(places);
    }
}
