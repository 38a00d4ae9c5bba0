package dev.cerrojo.guard;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.ScopeTypes;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.SqlText;
import dev.cerrojo.internal.Template;
import dev.cerrojo.invariant.Invariant;
import java.util.ArrayList;
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
              IF current_setting('transaction_isolation') <> 'read committed' THEN
                RAISE EXCEPTION USING ERRCODE = '25001',
                  MESSAGE = 'a guard must be installed at READ COMMITTED, but the transaction is '
                    || upper(current_setting('transaction_isolation')),
                  HINT = 'Its snapshot is older than the lock that it waits for, so it would not see what others wrote'
                    || ' meanwhile.';
              END IF;
              {kinds}
              -- Held until the transaction ends: what is checked here is still true when the guard is in place.
              LOCK TABLE {tables} IN SHARE ROW EXCLUSIVE MODE;
              PERFORM set_config('search_path', {path}, true);
              {checks}
              PERFORM set_config('search_path', path_before, true);
            END
            """);

    private static final Template REFUSED_IF_FOUND = new Template("""
            {query}
            IF problem IS NOT NULL THEN
              RAISE EXCEPTION USING ERRCODE = {state},
                MESSAGE = {message} || problem,
                HINT = {hint};
            END IF;
            """);

    /** What a relation is can be said before it is locked: it never changes. */
    private static final Template KINDS = new Template("""
            SELECT string_agg(c.oid::regclass::text || ', which is ' || k.what, '; '){into}
            FROM pg_class AS c
            CROSS JOIN LATERAL (
              SELECT CASE
                  WHEN c.relkind = 'v' THEN 'a view'
                  WHEN c.relkind = 'm' THEN 'a materialized view'
                  WHEN c.relkind = 'f' THEN 'a foreign table'
                  WHEN c.relkind NOT IN ('r', 'p') THEN 'no table'
                  WHEN c.relpersistence = 't' THEN 'a temporary table'
                  WHEN c.relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
                    OR c.relnamespace = 'pg_toast'::regnamespace THEN 'a table of the system'
                END AS what
            ) AS k
            WHERE c.oid IN ({relations}) AND k.what IS NOT NULL;""");

    private static final Template INSTALLED = new Template("""
            IF EXISTS (SELECT 1 FROM pg_trigger AS t WHERE t.tgrelid = {guard}::regclass AND t.tgname = {name}) THEN
              RAISE EXCEPTION USING ERRCODE = '42710',
                MESSAGE = {installed},
                HINT = 'Drop it first.';
            END IF;
            """);

    /**
     * A statement on a table above fires the triggers there only, and its transition tables mix in rows of others. A
     * count under row-level security sees only what the writer may see.
     */
    private static final Template FAMILIES = new Template("""
            WITH RECURSIVE family (oid) AS (
              SELECT c.oid FROM pg_class AS c WHERE c.oid IN ({relations})
              UNION
              SELECT i.inhrelid FROM pg_inherits AS i JOIN family AS f ON i.inhparent = f.oid
            )
            SELECT string_agg(c.oid::regclass::text || ', which ' || k.what, '; '){into}
            FROM family AS f
            JOIN pg_class AS c ON c.oid = f.oid
            CROSS JOIN LATERAL (
              SELECT CASE
                  WHEN c.relkind NOT IN ('r', 'p') THEN 'is a foreign table below another table'
                  WHEN c.relrowsecurity THEN 'has row-level security'
                  WHEN EXISTS (SELECT 1 FROM pg_inherits AS i WHERE i.inhrelid = c.oid
                      AND (c.oid IN ({relations}) OR i.inhparent NOT IN (SELECT oid FROM family)))
                    THEN 'is a partition or child of another table'
                END AS what
            ) AS k
            WHERE k.what IS NOT NULL;""");

    /** Since PostgreSQL 18. Transition tables do not have them: to read one there is an error. */
    private static final Template VIRTUAL = new Template("""
            SELECT string_agg(c.oid::regclass::text || ', whose column ' || quote_ident(a.attname)
              || ' is generated when it is read', '; '){into}
            FROM pg_attribute AS a
            JOIN pg_class AS c ON c.oid = a.attrelid
            WHERE a.attgenerated = 'v' AND ({columns});""");

    /** An index of a table does not see its children's rows; one of a partitioned table does. */
    private static final Template CHILDREN = new Template("""
            SELECT string_agg(c.oid::regclass::text || ', which has children', '; '){into}
            FROM pg_class AS c
            WHERE c.oid IN ({relations}) AND c.relkind = 'r'
              AND EXISTS (SELECT 1 FROM pg_inherits AS i WHERE i.inhparent = c.oid);""");

    /** Guard rows are keyed by the scope as text: {@link ScopeTypes}. */
    private static final Template SCOPE_TYPES = new Template("""
            SELECT string_agg(k.place || ' is ' || format_type(k.oid, k.mod), ', '){into}
            FROM (
              SELECT s.place, t.oid, s.mod,
                {kind} AS kind
              FROM (
                {scopes}
              ) AS s
              {joins}
            ) AS k
            HAVING count(*) <> count(k.kind) OR count(DISTINCT k.kind) > 1;""");

    /** The sub-query finds nothing, and fails when there is no such column. */
    private static final Template COLUMN_TYPE = new Template("""
            SELECT {place} AS place, a.atttypid AS type, a.atttypmod AS mod, a.attcollation AS collation
            FROM pg_attribute AS a WHERE a.attrelid = {table}::regclass AND a.attname = {column}
              AND NOT EXISTS (SELECT {expression} FROM {relation} WHERE false)""");

    private static final Template EXPRESSION_TYPE = new Template("""
            SELECT {place} AS place, pg_typeof(x.scope)::oid AS type, -1 AS mod,
              CASE WHEN (SELECT t.typcollation <> 0 FROM pg_type AS t WHERE t.oid = pg_typeof(x.scope))
                THEN pg_collation_for(x.scope)::regcollation::oid ELSE 0::oid END AS collation
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

    private static final String INTO = " INTO problem";

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

    String forTriggers(WatchedTables watched) {
        List<ScopeSource> scopes = watched.scopeSources();
        return block(installed()
                + unfitFamily()
                + unfitColumns(watched)
                + (scopes.isEmpty() ? "" : unfitScopes(scopes))
                + violations());
    }

    String forConstraint() {
        return block(unfit(children(INTO), "The constraint of a table does not cover the tables that inherit from it.")
                + violations());
    }

    /** {@return queries with one row each, of what triggers cannot keep in words, or NULL} */
    List<String> problemQueries(WatchedTables watched) {
        List<String> queries = new ArrayList<>(List.of(kinds(""), families("")));
        queries.add(virtual(watched, ""));
        if (!watched.scopeSources().isEmpty()) {
            queries.add(scopeTypes(watched.scopeSources(), ""));
        }
        return queries;
    }

    private String unfitColumns(WatchedTables watched) {
        return unfit(
                virtual(watched, INTO),
                "A trigger cannot read virtual columns of what was written: make the column STORED, or write its"
                        + " expression into the invariant.");
    }

    private static String virtual(WatchedTables watched, String into) {
        String columns = watched.names().entrySet().stream()
                .map(entry -> "a.attrelid = %s::regclass AND a.attname = ANY (ARRAY[%s]::text[])"
                        .formatted(
                                Identifiers.quoteLiteral(entry.getKey().sql()),
                                entry.getValue().stream()
                                        .map(Identifiers::quoteLiteral)
                                        .collect(Collectors.joining(", "))))
                .collect(Collectors.joining(" OR "));
        return VIRTUAL.fill(Map.of("columns", columns, "into", into));
    }

    /** {@return the same for a constraint} */
    List<String> constraintProblemQueries() {
        return List.of(kinds(""), children(""));
    }

    private String block(String checks) {
        return "DO "
                + Identifiers.dollarQuote(BLOCK.fill(Map.of(
                        "tables",
                        tables.stream().map(SqlName::sql).sorted().collect(Collectors.joining(", ")),
                        "kinds",
                        unfit(
                                kinds(INTO),
                                "Only tables have what keeps an invariant: name the tables that the data is in."),
                        "path",
                        Identifiers.quoteLiteral(searchPath(options)),
                        "checks",
                        checks)));
    }

    private String kinds(String into) {
        return KINDS.fill(Map.of("relations", relations(), "into", into));
    }

    private String families(String into) {
        return FAMILIES.fill(Map.of("relations", relations(), "into", into));
    }

    private String children(String into) {
        return CHILDREN.fill(Map.of("relations", relations(), "into", into));
    }

    private String relations() {
        return tables.stream()
                .map(table -> Identifiers.quoteLiteral(table.sql()) + "::regclass")
                .collect(Collectors.joining(", "));
    }

    private String unfit(String query, String hint) {
        return refusedIfFound(query, "0A000", "invariant " + invariant.name() + " cannot be guarded on ", hint);
    }

    private static String refusedIfFound(String query, String state, String message, String hint) {
        return REFUSED_IF_FOUND.fill(Map.of(
                "query", query,
                "state", Identifiers.quoteLiteral(state),
                "message", Identifiers.quoteLiteral(message),
                "hint", Identifiers.quoteLiteral(hint)));
    }

    private String installed() {
        return INSTALLED.fill(Map.of(
                "guard",
                Identifiers.quoteLiteral(new GuardTable(options.ownSchema()).sql()),
                "name",
                Identifiers.quoteLiteral(invariant.name()),
                "installed",
                Identifiers.quoteLiteral("guard of invariant " + invariant.name() + " is installed already")));
    }

    private String unfitFamily() {
        return unfit(
                families(INTO),
                "Tables must have no row-level security, and be no partition or child of another: there, declare"
                        + " the invariant over the table at the top.");
    }

    private String unfitScopes(List<ScopeSource> scopes) {
        return refusedIfFound(
                scopeTypes(scopes, INTO),
                "42804",
                "scopes of invariant " + invariant.name() + " cannot be told apart by their text: ",
                "They must all be integers, or all text, or all the same of " + ScopeTypes.OTHERS + ".");
    }

    private String scopeTypes(List<ScopeSource> scopes, String into) {
        return SCOPE_TYPES.fill(Map.of(
                "kind",
                ScopeTypes.KIND,
                "joins",
                ScopeTypes.JOINS,
                "scopes",
                scopes.stream().map(this::scopeType).collect(Collectors.joining("\nUNION ALL\n")),
                "into",
                into));
    }

    private String scopeType(ScopeSource scope) {
        String table = scope.table().in(options.schema()).sql();
        String place = Identifiers.quoteLiteral(scope.table().sql() + "(" + scope.expression() + ")");
        return SqlName.parse(scope.expression())
                .map(column -> COLUMN_TYPE.fill(Map.of(
                        "place", place,
                        "table", Identifiers.quoteLiteral(table),
                        "column", Identifiers.quoteLiteral(column.name()),
                        "expression", scope.expression(),
                        "relation", table)))
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
