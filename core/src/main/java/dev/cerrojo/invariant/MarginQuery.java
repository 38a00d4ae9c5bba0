package dev.cerrojo.invariant;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.internal.Template;
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
            SELECT s.{key}::text AS scope, coalesce(r.value, 0) AS value, {bound} AS bound, {margin} AS margin
            FROM {scopes} AS s
            LEFT JOIN (
              SELECT t.{column} AS scope, {aggregate} AS value
              FROM {rows} AS t
              GROUP BY t.{column}
            ) AS r ON r.scope = s.{key}
            WHERE s.{key} IS NOT NULL
            ORDER BY margin, s.{key}
            LIMIT {most}""");

    private static final Template GLOBALLY = new Template("""
            SELECT {global} AS scope, r.value, {bound} AS bound, {margin} AS margin
            FROM (SELECT {aggregate} AS value FROM {rows} AS t) AS r""");

    /** {@return the query of an invariant; empty for a rule that has no distance, only holds or does not} */
    public static Optional<MarginQuery> of(Invariant invariant) {
        return invariant.rule() instanceof Rule.Counting ? Optional.of(new MarginQuery(invariant)) : Optional.empty();
    }

    /**
     * {@return the query}
     *
     * <p>Its columns: {@code scope}, the key as text ({@code global} in global scope); {@code value}, the count or the
     * sum; {@code bound}; {@code margin}, by how much the value may still move toward the bound, 0 when at it and negative
     * when violated. One row per scope that the invariant applies to, the nearest first. It takes no lock, so it says what
     * was committed when it ran.
     *
     * @param most how many scopes at most
     */
    public String sql(int most) {
        Rule.Counting rule = (Rule.Counting) invariant.rule();
        Rule.Rows of = rule.of();
        String rows = filtered(of.table(), of.where());
        if (!(invariant.scope() instanceof Scope.Table scope)) {
            return GLOBALLY.fill(Map.of(
                    "global", Identifiers.quoteLiteral(GuardTable.GLOBAL_SCOPE) + "::text",
                    "bound", bound(rule),
                    "margin", margin(rule, "r.value"),
                    "aggregate", aggregate(rule),
                    "rows", rows));
        }
        return PER_SCOPE.fill(Map.of(
                "key", name(scope.key()).sql(),
                "bound", bound(rule),
                "margin", margin(rule, "coalesce(r.value, 0)"),
                "scopes", filtered(scope.table(), invariant.where()),
                "column", name(of.scopeColumn().orElseThrow()).sql(),
                "aggregate", aggregate(rule),
                "rows", rows,
                "most", Integer.toString(most)));
    }

    /** {@return whether the bound is a lower one} */
    public boolean isLower() {
        return invariant.rule() instanceof Rule.AtLeast || invariant.rule() instanceof Rule.SumAtLeast;
    }

    private String margin(Rule.Counting rule, String value) {
        return isLower() ? value + " - (" + bound(rule) + ")" : "(" + bound(rule) + ") - " + value;
    }

    private static String bound(Rule.Counting rule) {
        if (rule instanceof Rule.AtLeast atLeast) {
            return Long.toString(atLeast.bound());
        } else if (rule instanceof Rule.AtMost atMost) {
            return Long.toString(atMost.bound());
        } else if (rule instanceof Rule.SumAtLeast sum) {
            return sum.bound().toPlainString();
        }
        return ((Rule.SumAtMost) rule).bound().toPlainString();
    }

    private static String aggregate(Rule.Counting rule) {
        if (rule instanceof Rule.SumAtLeast sum) {
            return sum(sum.column());
        }
        return rule instanceof Rule.SumAtMost sum ? sum(sum.column()) : "count(*)";
    }

    private static String sum(String column) {
        return "coalesce(sum(t." + name(column).sql() + "), 0)";
    }

    private static String filtered(String table, Optional<String> where) {
        return "(SELECT * FROM " + name(table).sql()
                + where.map(text -> " WHERE " + SqlText.parenthesized(text)).orElse("") + ")";
    }

    private static SqlName name(String checked) {
        return SqlName.parse(checked).orElseThrow();
    }
}
