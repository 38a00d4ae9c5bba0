package dev.cerrojo.guard;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.ScopeTypes;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.internal.Template;
import dev.cerrojo.invariant.Invariant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The first statement of an installation: locks the tables against writers, then refuses what a guard could not keep
 * and data that breaks the invariant already.
 */
final class Preflight {
    private static final Template BLOCK = new Template("""

            #variable_conflict use_column
            DECLARE
              path_before text := current_setting('search_path');
              problem text;
            BEGIN
              -- Held until the transaction ends: what is checked here is still true when the guard is in place.
              LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE;
              PERFORM set_config('search_path', {path}, true);
              {checks}
              PERFORM set_config('search_path', path_before, true);
            END
            """);

    private static final Template RELATIONS = new Template("""
            IF EXISTS (SELECT 1 FROM pg_trigger AS t WHERE t.tgrelid = {guard}::regclass AND t.tgname = {name}) THEN
              RAISE EXCEPTION USING ERRCODE = '42710',
                MESSAGE = {installed},
                HINT = 'Drop it first.';
            END IF;
            -- Statement triggers do not see a statement on another table of the same family, and a count under
            -- row-level security sees only what the writer may see.
            SELECT string_agg(c.oid::regclass::text, ', ') INTO problem
            FROM pg_class AS c
            WHERE c.oid IN ({relations})
              AND (c.relkind <> 'r' OR c.relrowsecurity
                OR EXISTS (SELECT 1 FROM pg_inherits AS i WHERE c.oid IN (i.inhrelid, i.inhparent)));
            IF problem IS NOT NULL THEN
              RAISE EXCEPTION USING ERRCODE = '0A000',
                MESSAGE = {message} || problem,
                HINT = 'Tables must be ordinary: no partitions, no inheritance, no view, no row-level security.';
            END IF;
            """);

    /** Guard rows are keyed by the scope as text: {@link ScopeTypes}. */
    private static final Template SCOPE_TYPES = new Template("""
            SELECT string_agg(k.place || ' is ' || format_type(k.oid, k.mod), ', ') INTO problem
            FROM (
              SELECT s.place, t.oid, s.mod,
                {kind} AS kind
              FROM (
                {scopes}
              ) AS s
              JOIN pg_type AS t ON t.oid = s.type
              JOIN pg_type AS b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
              LEFT JOIN pg_collation AS l ON l.oid = s.collation
            ) AS k
            HAVING count(*) <> count(k.kind) OR count(DISTINCT k.kind) > 1;
            IF problem IS NOT NULL THEN
              RAISE EXCEPTION USING ERRCODE = '42804',
                MESSAGE = {message} || problem,
                HINT = 'They must all be integers, or all text, or all the same of {allowed}.';
            END IF;
            """);

    private static final Template COLUMN_TYPE = new Template("""
            SELECT {place} AS place, a.atttypid AS type, a.atttypmod AS mod, a.attcollation AS collation
            FROM pg_attribute AS a WHERE a.attrelid = {table}::regclass AND a.attname = {column}""");

    private static final Template EXPRESSION_TYPE = new Template("""
            SELECT {place} AS place, pg_typeof(x.scope)::oid AS type, -1 AS mod, 0::oid AS collation
            FROM (SELECT 1) AS one LEFT JOIN (SELECT {expression} AS scope FROM {table} LIMIT 0) AS x ON true""");

    private static final Template VIOLATIONS = new Template("""
            SELECT string_agg(to_json(v)::text, ', ') INTO problem
            FROM (
              SELECT * FROM (
                {query}
              ) AS v LIMIT 20
            ) AS v;
            IF problem IS NOT NULL THEN
              RAISE EXCEPTION USING ERRCODE = '23514', CONSTRAINT = {name},
                MESSAGE = {message},
                DETAIL = 'Violating rows (at most 20): ' || problem,
                HINT = 'Correct these rows, then install again.';
            END IF;""");

    private final Invariant invariant;
    private final GuardOptions options;
    private final List<SqlName> tables;

    Preflight(Invariant invariant, GuardOptions options, List<SqlName> tables) {
        this.invariant = invariant;
        this.options = options;
        this.tables = tables.stream().map(table -> table.in(options.schema())).toList();
    }

    /**
     * What names a scope.
     *
     * @param expression a column or an expression over the table
     */
    record ScopeSource(SqlName table, String expression) {}

    static String searchPath(GuardOptions options) {
        return Identifiers.quote(options.schema()) + ", pg_temp";
    }

    String forTriggers(List<ScopeSource> scopes) {
        return block((scopes.isEmpty() ? relations() : relations() + scopeTypes(scopes)) + violations());
    }

    String forConstraint() {
        return block(violations());
    }

    private String block(String checks) {
        return "DO "
                + Identifiers.dollarQuote(BLOCK.fill(Map.of(
                        "tables",
                        tables.stream().map(SqlName::sql).sorted().collect(Collectors.joining(", ")),
                        "path",
                        Identifiers.quoteLiteral(searchPath(options)),
                        "checks",
                        checks)));
    }

    private String relations() {
        return RELATIONS.fill(Map.of(
                "guard",
                Identifiers.quoteLiteral(new GuardTable(options.ownSchema()).sql()),
                "name",
                Identifiers.quoteLiteral(invariant.name()),
                "installed",
                Identifiers.quoteLiteral("guard of invariant " + invariant.name() + " is installed already"),
                "relations",
                tables.stream()
                        .map(table -> Identifiers.quoteLiteral(table.sql()) + "::regclass")
                        .collect(Collectors.joining(", ")),
                "message",
                Identifiers.quoteLiteral("invariant " + invariant.name() + " cannot be guarded by triggers on ")));
    }

    private String scopeTypes(List<ScopeSource> scopes) {
        return SCOPE_TYPES.fill(Map.of(
                "kind",
                ScopeTypes.KIND,
                "scopes",
                scopes.stream().map(this::scopeType).collect(Collectors.joining("\nUNION ALL\n")),
                "allowed",
                ScopeTypes.OTHERS,
                "message",
                Identifiers.quoteLiteral(
                        "scopes of invariant " + invariant.name() + " cannot be told apart by their text: ")));
    }

    private String scopeType(ScopeSource scope) {
        String table = scope.table().in(options.schema()).sql();
        String place = Identifiers.quoteLiteral(scope.table().sql() + "(" + scope.expression() + ")");
        return SqlName.parse(scope.expression())
                .map(column -> COLUMN_TYPE.fill(Map.of(
                        "place", place,
                        "table", Identifiers.quoteLiteral(table),
                        "column", Identifiers.quoteLiteral(column.name()))))
                .orElseGet(() -> EXPRESSION_TYPE.fill(Map.of(
                        "place", place,
                        "table", table,
                        "expression", SqlText.parenthesized(scope.expression()))));
    }

    private String violations() {
        return VIOLATIONS.fill(Map.of(
                "query",
                invariant.violationSql(),
                "name",
                Identifiers.quoteLiteral(invariant.name()),
                "message",
                Identifiers.quoteLiteral(
                        "invariant " + invariant.name() + " does not hold yet, so its guard was not installed")));
    }
}
