package dev.cerrojo.guard;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.invariant.Invariant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The first statement of an installation: locks the tables against writers, then refuses what a guard could not keep
 * and data that breaks the invariant already.
 */
final class Preflight {
    private final Invariant invariant;
    private final GuardOptions options;
    private final List<SqlName> tables;

    Preflight(Invariant invariant, GuardOptions options, List<SqlName> tables) {
        this.invariant = invariant;
        this.options = options;
        this.tables = tables.stream().map(table -> table.in(options.schema())).toList();
    }

    /** What names a scope: a column or an expression over a table. */
    record ScopeSource(SqlName table, String expression) {}

    String forTriggers(List<ScopeSource> scopes) {
        return block(scopes.isEmpty() ? relations() : relations() + scopeTypes(scopes));
    }

    String forConstraint() {
        return block("");
    }

    private String block(String checks) {
        String body = """

                #variable_conflict use_column
                DECLARE
                  path_before text := current_setting('search_path');
                  problem text;
                BEGIN
                  -- Held until the transaction ends: what is checked here is still true when the guard is in place.
                  LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE;
                  PERFORM set_config('search_path', %s, true);
                %s%s  PERFORM set_config('search_path', path_before, true);
                END
                """.formatted(
                        tables.stream().map(SqlName::sql).sorted().collect(Collectors.joining(", ")),
                        Identifiers.quoteLiteral(searchPath(options)),
                        checks,
                        violations());
        return "DO " + Identifiers.dollarQuote(body);
    }

    static String searchPath(GuardOptions options) {
        return Identifiers.quote(options.schema()) + ", pg_temp";
    }

    private String relations() {
        return """
                  -- Statement triggers do not see a statement on another table of the same family, and a count under
                  -- row-level security sees only what the writer may see.
                  SELECT string_agg(c.oid::regclass::text, ', ') INTO problem
                  FROM pg_class AS c
                  WHERE c.oid IN (%s)
                    AND (c.relkind <> 'r' OR c.relrowsecurity
                      OR EXISTS (SELECT 1 FROM pg_inherits AS i WHERE c.oid IN (i.inhrelid, i.inhparent)));
                  IF problem IS NOT NULL THEN
                    RAISE EXCEPTION USING ERRCODE = '0A000',
                      MESSAGE = %s || problem,
                      HINT = 'Tables must be ordinary: no partitions, no inheritance, no view, no row-level security.';
                  END IF;
                """.formatted(
                tables.stream()
                        .map(table -> Identifiers.quoteLiteral(table.sql()) + "::regclass")
                        .collect(Collectors.joining(", ")),
                Identifiers.quoteLiteral("invariant " + invariant.name() + " cannot be guarded by triggers on "));
    }

    /**
     * Guard rows are keyed by the scope as text. That is one row per scope only where equal values are always written
     * the same; not so numeric (1.0 and 1.00), citext, or a timestamp in another time zone.
     */
    private String scopeTypes(List<ScopeSource> scopes) {
        return """
                  SELECT string_agg(k.place || ' is ' || format_type(k.oid, k.mod), ', ') INTO problem
                  FROM (
                    SELECT s.place, t.oid, s.mod,
                      CASE
                        WHEN b.oid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) THEN 'integer'
                        WHEN b.oid IN ('text'::regtype, 'varchar'::regtype)
                          AND coalesce(l.collisdeterministic, true) THEN 'text'
                        WHEN b.oid = 'numeric'::regtype AND s.mod <> -1 THEN format_type(b.oid, s.mod)
                        WHEN b.oid IN ('uuid'::regtype, 'bool'::regtype, 'date'::regtype) OR b.typtype = 'e'
                          THEN format_type(b.oid, -1)
                      END AS kind
                    FROM (
                %s
                    ) AS s
                    JOIN pg_type AS t ON t.oid = s.type
                    JOIN pg_type AS b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
                    LEFT JOIN pg_collation AS l ON l.oid = s.collation
                  ) AS k
                  HAVING count(*) <> count(k.kind) OR count(DISTINCT k.kind) > 1;
                  IF problem IS NOT NULL THEN
                    RAISE EXCEPTION USING ERRCODE = '42804',
                      MESSAGE = %s || problem,
                      HINT = 'All must be integers, or all text, or all the same of uuid, boolean, date, an enum or numeric(p, s).';
                  END IF;
                """.formatted(
                        scopes.stream().map(this::scopeType).collect(Collectors.joining("\n      UNION ALL\n")),
                        Identifiers.quoteLiteral(
                                "scopes of invariant " + invariant.name() + " cannot be told apart by their text: "));
    }

    private String scopeType(ScopeSource scope) {
        String table = scope.table().in(options.schema()).sql();
        String place = Identifiers.quoteLiteral(scope.table().sql() + "(" + scope.expression() + ")");
        return SqlName.parse(scope.expression())
                .map(column ->
                        """
                              SELECT %s AS place, a.atttypid AS type, a.atttypmod AS mod, a.attcollation AS collation
                              FROM pg_attribute AS a
                              WHERE a.attrelid = %s::regclass AND a.attname = %s""".formatted(place, Identifiers.quoteLiteral(table), Identifiers.quoteLiteral(column.name())))
                .orElseGet(() -> """
                              SELECT %s AS place, pg_typeof(x.scope)::oid AS type, -1 AS mod, 0::oid AS collation
                              FROM (SELECT 1) AS one LEFT JOIN (SELECT %s AS scope FROM %s LIMIT 0) AS x ON true""".formatted(place, SqlText.parenthesized(scope.expression()), table));
    }

    private String violations() {
        return """
                  SELECT string_agg(to_json(v)::text, ', ') INTO problem
                  FROM (
                    SELECT * FROM (
                %s
                    ) AS v LIMIT 20
                  ) AS v;
                  IF problem IS NOT NULL THEN
                    RAISE EXCEPTION USING ERRCODE = '23514', CONSTRAINT = %s,
                      MESSAGE = %s,
                      DETAIL = 'Violating rows (at most 20): ' || problem,
                      HINT = 'Correct these rows, then install again.';
                  END IF;
                """.formatted(
                        Scripts.indent(invariant.violationSql(), 6),
                        Identifiers.quoteLiteral(invariant.name()),
                        Identifiers.quoteLiteral("invariant " + invariant.name()
                                + " does not hold yet, so its guard was not installed"));
    }
}
