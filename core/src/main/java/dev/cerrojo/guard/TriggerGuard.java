package dev.cerrojo.guard;

import dev.cerrojo.internal.Fingerprint;
import dev.cerrojo.internal.GuardRefusal;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.PlpgsqlFunction;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An invariant as triggers. Right at READ COMMITTED, REPEATABLE READ and SERIALIZABLE, and with writers of mixed
 * levels.
 *
 * <p><b>How.</b> After each statement that may break the invariant of some scopes, a trigger updates those scopes' rows
 * of the guard table, in key order: the same serialization point as {@code SerializationPoint.touch}. A constraint
 * trigger on the guard table then checks each touched scope, at once or at COMMIT. The second of two transactions
 * therefore waits for the first before it counts. At READ COMMITTED it then counts what the first left, and is refused
 * with SQLSTATE 23514; above, it is refused with 40001 as soon as it touches. The functions are VOLATILE, because a
 * STABLE one would count with the snapshot of the statement that fired it, from before the wait.
 *
 * <p><b>What it costs.</b> One row update per affected scope and statement, and one check; statements that cannot break
 * the invariant (an INSERT, for at_least) touch nothing. One statement never deadlocks with another because of the
 * guard. Transactions of several statements can still meet in opposite order, since rows are locked before the guard:
 * where that matters, take {@code SerializationPoint.touch} first, or in any language the function {@code
 * cerrojo.touch_<invariant>(scope)}.
 *
 * <p><b>Partitions and children.</b> The triggers stand on each table of the invariant and on every table below it. One
 * that is made or attached later has none, so what is written to it directly is not kept until the guard is installed
 * anew; ATTACH and DETACH PARTITION themselves fire no trigger.
 *
 * <p><b>TRUNCATE</b> of a table whose emptying may break the invariant of some scope is refused above READ COMMITTED with
 * SQLSTATE 55000: it removes rows that its snapshot does not show.
 *
 * <p><b>What it does not see.</b> A change of the answer without a write (a condition that reads the clock), and what
 * logical replication applies. {@code session_replication_role = replica} passes it by unless the option
 * {@link GuardOptions#alwaysEnabled()} is on. Rows of the guard table must stay: once one is deleted, a transaction above
 * READ COMMITTED with a snapshot from before is no longer refused.
 *
 * <p><b>Rights.</b> The functions run with the rights of whoever writes (no SECURITY DEFINER): a guard must not read on
 * behalf of a role what that role may not read, and such functions are what an attacker looks for. So every role that
 * writes the tables needs USAGE on the own schema, SELECT, INSERT and UPDATE on its guard table, and SELECT on the
 * tables of the invariant; without them its writes fail. Tables with row-level security are refused at installation:
 * the writer would count only rows it can see.
 */
public final class TriggerGuard implements Guard {
    private static final Template CHECK_TRIGGER = new Template("""
            CREATE CONSTRAINT TRIGGER {constraint} AFTER INSERT OR UPDATE ON {guard}
              DEFERRABLE INITIALLY {when} FOR EACH ROW WHEN (NEW.invariant = {name})
              EXECUTE FUNCTION {function}()""");

    private static final Template CHECK = new Template("""

            #variable_conflict use_column
            <<guarded>>
            DECLARE
              {declaration}
              violation record;
            BEGIN
              -- A snapshot from before the guard may show rows that were removed while no guard row told of it.
              IF current_setting('transaction_isolation') <> 'read committed' AND NOT EXISTS (
                  SELECT 1 FROM pg_trigger AS t WHERE t.tgrelid = TG_RELID AND t.tgname = TG_NAME) THEN
                RAISE EXCEPTION USING ERRCODE = '40001',
                  MESSAGE = {old},
                  HINT = 'Run the transaction again.';
              END IF;
              {skip}
              SELECT v.* INTO guarded.violation
              FROM (
                {query}
              ) AS v LIMIT 1;
              IF FOUND THEN
                RAISE EXCEPTION USING ERRCODE = '23514', CONSTRAINT = {name},
                  MESSAGE = {message},
                  DETAIL = 'Violating row: ' || to_json(guarded.violation)::text,
                  HINT = {hint};
              END IF;
              RETURN NULL;
            END
            """);

    /** At COMMIT, each touch of a scope has its check waiting; the last of them is enough. */
    private static final Template ONLY_LATEST_TOUCH = new Template("""
            IF NOT EXISTS (SELECT 1 FROM {guard} AS g
                WHERE g.invariant = NEW.invariant AND g.scope = NEW.scope AND g.touched = NEW.touched) THEN
              RETURN NULL;
            END IF;""");

    private static final Template TOUCH_STATEMENT = new Template("""

            #variable_conflict use_column
            BEGIN
              {branches}
              END IF;
              RETURN NULL;
            END
            """);

    private static final Template BRANCH = new Template("""
            IF TG_OP = '{event}' THEN
              {touch};
            """);

    /**
     * TRUNCATE removes rows of scopes that its snapshot does not show: no guard row of theirs would be touched. Not 0A000,
     * after which HikariCP throws the connection away.
     */
    private static final Template NEEDS_FRESH_SNAPSHOT = new Template("""
            IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
              RAISE EXCEPTION USING ERRCODE = '55000',
                MESSAGE = {message} || current_setting('transaction_isolation'),
                HINT = 'TRUNCATE also removes rows that came after the snapshot of its transaction: run it at read committed, or use DELETE.';
            END IF;
            """);

    private static final Template SCOPES_IN_KEY_ORDER = new Template("""
            SELECT {name}, a.scope
            FROM (
              {scopes}
            ) AS a
            GROUP BY a.scope
            ORDER BY a.scope""");

    private static final Template TOUCH_FIRST = new Template("""

            #variable_conflict use_column
            <<guarded>>
            DECLARE
              {declaration}
            BEGIN
              {touch};
            END
            """);

    /** Also what an older definition left, on tables that are no longer watched. */
    private static final Template DROP_TRIGGERS = new Template("""

            DECLARE
              found record;
            BEGIN
              FOR found IN
                SELECT t.tgname AS name, t.tgrelid::regclass::text AS place
                FROM pg_trigger AS t
                JOIN pg_proc AS p ON p.oid = t.tgfoid
                JOIN pg_namespace AS n ON n.oid = p.pronamespace
                WHERE n.nspname = {schema} AND t.tgname IN ({triggers})
                ORDER BY t.tgrelid, t.tgname
              LOOP
                EXECUTE format('DROP TRIGGER %I ON %s', found.name, found.place);
              END LOOP;
              FOR found IN
                SELECT p.oid::regprocedure::text AS name
                FROM pg_proc AS p
                JOIN pg_namespace AS n ON n.oid = p.pronamespace
                WHERE n.nspname = {schema} AND starts_with(p.proname, {prefix})
                  AND obj_description(p.oid, 'pg_proc') ~ {comment}
                  AND NOT EXISTS (SELECT 1 FROM pg_trigger AS t WHERE t.tgfoid = p.oid)
              LOOP
                EXECUTE format('DROP FUNCTION %s', found.name);
              END LOOP;
            END
            """);

    private static final Template FORGET = new Template("""

            BEGIN
              IF to_regclass({literal}) IS NOT NULL THEN
                DELETE FROM {guard} WHERE invariant = {name};
              END IF;
            END
            """);

    /** Scopes are cast to text: a date is written one way only when its style is fixed. */
    private static final Map<String, String> DATE_STYLE = Map.of("datestyle", "'ISO'");

    private final Invariant invariant;
    private final GuardOptions options;
    private final GuardTable guardTable;
    private final WatchedTables watched;

    private TriggerGuard(Invariant invariant, GuardOptions options) {
        this.invariant = invariant;
        this.options = options;
        this.guardTable = new GuardTable(options.ownSchema());
        this.watched = new WatchedTables(invariant, options.schema());
        SystemSchemas.refuse(invariant, watched.tables().keySet());
    }

    /**
     * {@return the triggers of an invariant}
     *
     * @throws GuardNotPossibleException for a rule that PostgreSQL enforces by a constraint of its own, for violated_by
     *     without watches, and for tables in a schema of the system
     */
    public static TriggerGuard of(Invariant invariant, GuardOptions options) {
        if (invariant.rule() instanceof Rule.ViolatedBy violatedBy
                && violatedBy.watches().isEmpty()) {
            throw new GuardNotPossibleException(
                    "invariant %s is plain SQL, so Cerrojo does not know which tables can break it: list them as watches"
                            .formatted(invariant.name()));
        }
        if (invariant.rule() instanceof Rule.Unique || invariant.rule() instanceof Rule.NoOverlap) {
            throw new GuardNotPossibleException(
                    "invariant %s is a rule that PostgreSQL enforces without triggers: use NativeConstraint"
                            .formatted(invariant.name()));
        }
        return new TriggerGuard(invariant, options);
    }

    @Override
    public Invariant invariant() {
        return invariant;
    }

    @Override
    public List<String> installStatements() {
        List<SqlName> tables = List.copyOf(watched.tables().keySet());
        List<String> statements = new ArrayList<>(guardTable.createStatements());
        statements.add(preflight(tables).forTriggers(watched));
        statements.addAll(create(checkFunction()));
        statements.addAll(createCheckTrigger());
        statements.addAll(create(touchFirst()));
        for (TouchTriggers triggers : touchTriggers()) {
            statements.addAll(create(triggers.function()));
            statements.addAll(triggers.createStatements(fingerprint()));
        }
        return statements;
    }

    private Preflight preflight(List<SqlName> tables) {
        return new Preflight(invariant, options, tables);
    }

    GuardOptions options() {
        return options;
    }

    /** {@return queries with one text each: what about the tables it cannot keep, or NULL} */
    List<String> problemQueries() {
        return preflight(List.copyOf(watched.tables().keySet())).problemQueries(watched);
    }

    /** {@return the triggers of each table} */
    List<TouchTriggers> touchTriggers() {
        return watched.tables().entrySet().stream()
                .map(entry -> new TouchTriggers(
                        invariant,
                        options,
                        entry.getKey(),
                        entry.getValue().queries().keySet(),
                        touchFunction(entry.getKey(), entry.getValue())))
                .toList();
    }

    /** {@return what the constraint trigger on the guard table calls} */
    PlpgsqlFunction checkFunction() {
        return checkFunction(options.deferred());
    }

    PlpgsqlFunction checkFunction(boolean deferred) {
        return function(invariant.name() + "_check", Map.of(), checkBody(deferred));
    }

    /** {@return the function that callers in any language take the guard of a scope with, first in a transaction} */
    PlpgsqlFunction touchFirst() {
        String argument = scopeKeyType(true).map(type -> "scope " + type).orElse("");
        String scope =
                argument.isEmpty() ? Identifiers.quoteLiteral(GuardTable.GLOBAL_SCOPE) : "guarded.scope_key::text";
        String body = TOUCH_FIRST.fill(Map.of(
                "declaration",
                        scopeKeyType(false)
                                .map(type -> "scope_key " + type + " := scope;")
                                .orElse(""),
                "touch", guardTable.touch("VALUES (%s, %s)".formatted(nameLiteral(), scope))));
        return new PlpgsqlFunction(options.ownSchema(), touchFirstName(), argument, "void", settings(DATE_STYLE), body);
    }

    private String touchFirstName() {
        return Identifiers.bounded("touch_" + invariant.name());
    }

    /** The type of the key, by name: an argument does not keep its precision, a variable does. */
    private Optional<String> scopeKeyType(boolean qualified) {
        return invariant.scope() instanceof Scope.Table scope
                ? Optional.of(SqlName.parse(scope.table())
                                .map(table -> qualified ? table.in(options.schema()) : table)
                                .orElseThrow()
                                .sql()
                        + '.' + SqlName.parse(scope.key()).orElseThrow().sql() + "%TYPE")
                : Optional.empty();
    }

    /** Named after the table; with its schema where that is not the default one, as two may have the same name. */
    private PlpgsqlFunction touchFunction(SqlName table, AffectedScopes scopes) {
        String schema = table.schema().orElseThrow();
        String place = (schema.equals(options.schema()) ? "" : schema + '_') + table.name();
        return function(invariant.name() + "_touch_" + place, DATE_STYLE, touchBody(scopes));
    }

    private PlpgsqlFunction function(String name, Map<String, String> settings, String body) {
        return new PlpgsqlFunction(
                options.ownSchema(), Identifiers.bounded(name), "", "trigger", settings(settings), body);
    }

    private Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("search_path", Preflight.searchPath(options));
        settings.putAll(more);
        return settings;
    }

    private List<String> create(PlpgsqlFunction function) {
        return List.of(
                function.createSql(),
                Scripts.comment(
                        "FUNCTION " + function.sql() + (function.arguments().isEmpty() ? "()" : ""),
                        invariant,
                        fingerprint()));
    }

    private List<String> createCheckTrigger() {
        List<String> statements = new ArrayList<>();
        statements.add(CHECK_TRIGGER.fill(Map.of(
                "constraint", constraint(),
                "guard", guardTable.sql(),
                "when", options.deferred() ? "DEFERRED" : "IMMEDIATE",
                "name", nameLiteral(),
                "function", checkFunction().sql())));
        statements.addAll(TouchTriggers.describe(constraint(), guardTable.sql(), invariant, options, fingerprint()));
        return statements;
    }

    /**
     * {@return what tells this definition from another, whatever the options}
     *
     * <p>Taken from what is generated: a change of the invariant changes it, and so does another way to generate.
     */
    String fingerprint() {
        List<String> parts =
                new ArrayList<>(List.of(checkBody(false), touchFirst().body()));
        watched.tables().forEach((table, scopes) -> parts.addAll(List.of(table.name(), touchBody(scopes))));
        return Fingerprint.of(parts);
    }

    private String touchBody(AffectedScopes scopes) {
        return TOUCH_STATEMENT.fill(Map.of(
                "branches",
                scopes.queries().entrySet().stream()
                        .map(entry -> branch(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining("ELS"))
                        .stripTrailing()));
    }

    private String branch(TableEvent event, String scopes) {
        String inKeyOrder = SCOPES_IN_KEY_ORDER.fill(Map.of("name", nameLiteral(), "scopes", scopes));
        return BRANCH.fill(
                Map.of("event", event.name(), "touch", needsFreshSnapshot(event) + guardTable.touch(inKeyOrder)));
    }

    private String needsFreshSnapshot(TableEvent event) {
        boolean mayMissScopes = event == TableEvent.TRUNCATE && invariant.scope() instanceof Scope.Table;
        String message = "TRUNCATE of a table of invariant " + invariant.name() + " is not allowed at ";
        return mayMissScopes ? NEEDS_FRESH_SNAPSHOT.fill(Map.of("message", Identifiers.quoteLiteral(message))) : "";
    }

    private String checkBody(boolean deferred) {
        return CHECK.fill(Map.of(
                "declaration", scopeDeclaration(),
                "skip", deferred ? ONLY_LATEST_TOUCH.fill(Map.of("guard", guardTable.sql())) : "",
                "query", invariant.violationSqlFor("guarded.scope_key"),
                "name", nameLiteral(),
                "message", message(),
                "old", oldSnapshot(),
                "hint", hint()));
    }

    /** The key in its own type, so that the check can use indexes; the check of violated_by looks at all scopes. */
    private String scopeDeclaration() {
        return scopeKeyType(false)
                .filter(type -> invariant.rule() instanceof Rule.Counting)
                .map(type -> "scope_key " + type + " := NEW.scope;")
                .orElse("");
    }

    private String message() {
        String says = refusal().message();
        return invariant.scope() instanceof Scope.Table scope
                ? Identifiers.quoteLiteral("%s (%s %s = ".formatted(says, scope.table(), scope.key()))
                        + " || NEW.scope || ')'"
                : Identifiers.quoteLiteral(says);
    }

    private String oldSnapshot() {
        return Identifiers.quoteLiteral(
                "the snapshot of this transaction is older than the guard of invariant " + invariant.name());
    }

    private String hint() {
        return Identifiers.quoteLiteral(refusal().hint());
    }

    private GuardRefusal refusal() {
        return new GuardRefusal(invariant.name(), invariant.says());
    }

    @Override
    public List<String> dropStatements() {
        List<String> statements = new ArrayList<>(dropObjects());
        statements.add("DO "
                + Identifiers.dollarQuote(FORGET.fill(Map.of(
                        "literal", Identifiers.quoteLiteral(guardTable.sql()),
                        "guard", guardTable.sql(),
                        "name", nameLiteral()))));
        return statements;
    }

    /** {@return the statements that drop it, but for its guard rows} */
    List<String> dropObjects() {
        List<String> statements = new ArrayList<>();
        statements.add("DO "
                + Identifiers.dollarQuote(DROP_TRIGGERS.fill(Map.of(
                        "schema", Identifiers.quoteLiteral(options.ownSchema()),
                        "triggers", triggerNames(),
                        "prefix", Identifiers.quoteLiteral(invariant.name() + "_touch_"),
                        "comment", Identifiers.quoteLiteral("^Guard of invariant " + invariant.name() + "[:.]")))));
        touchTriggers().forEach(triggers -> statements.add(triggers.function().dropSql()));
        statements.add("DROP TRIGGER IF EXISTS %s ON %s".formatted(constraint(), guardTable.sql()));
        statements.add(checkFunction().dropSql());
        statements.add(touchFirst().dropSql());
        return statements;
    }

    private String triggerNames() {
        return Arrays.stream(TableEvent.values())
                .map(event -> Identifiers.quoteLiteral(TouchTriggers.name(invariant, event)))
                .collect(Collectors.joining(", "));
    }

    /** {@return what the head of the script tells, line by line} */
    List<String> notes() {
        String argument = invariant.scope() instanceof Scope.Table scope ? scope.key() : "";
        return List.of(
                "A transaction of several statements that may break it takes the guard first, in its first statement:",
                "  SELECT %s(%s)".formatted(touchFirst().sql(), argument),
                "and of several scopes in the order of their text. Otherwise two of them can deadlock.");
    }

    private String nameLiteral() {
        return Identifiers.quoteLiteral(invariant.name());
    }

    private String constraint() {
        return Identifiers.quote(invariant.name());
    }
}
