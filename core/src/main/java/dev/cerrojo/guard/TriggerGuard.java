package dev.cerrojo.guard;

import dev.cerrojo.internal.GuardRefusal;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * take {@code SerializationPoint.touch} first where that matters.
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
    private static final Template FUNCTION = new Template("""
            CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql VOLATILE
              SET search_path = {path}{settings} AS {body}""");

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

    private static final Template TOUCH_TRIGGER = new Template("""
            CREATE TRIGGER {trigger} AFTER {event} ON {table}
              {transition}FOR EACH STATEMENT EXECUTE FUNCTION {function}()""");

    private static final Template TOUCH = new Template("""

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

    private static final Template SCOPES_IN_KEY_ORDER = new Template("""
            SELECT {name}, a.scope
            FROM (
              {scopes}
            ) AS a
            GROUP BY a.scope
            ORDER BY a.scope""");

    private static final Template FORGET = new Template("""

            BEGIN
              IF to_regclass({literal}) IS NOT NULL THEN
                DELETE FROM {guard} WHERE invariant = {name};
              END IF;
            END
            """);

    private final Invariant invariant;
    private final GuardOptions options;
    private final GuardTable guardTable;
    private final WatchedTables watched;

    private TriggerGuard(Invariant invariant, GuardOptions options) {
        this.invariant = invariant;
        this.options = options;
        this.guardTable = new GuardTable(options.ownSchema());
        this.watched = new WatchedTables(invariant, options.schema());
    }

    /**
     * {@return the triggers of an invariant}
     *
     * @throws GuardNotPossibleException for a rule that PostgreSQL enforces by a constraint of its own, and for
     *     violated_by without watches
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
        statements.add(new Preflight(invariant, options, tables).forTriggers(watched.scopeSources()));
        statements.addAll(createCheck());
        watched.tables().forEach((table, scopes) -> statements.addAll(createTouch(table, scopes)));
        return statements;
    }

    private List<String> createCheck() {
        String function = function("check");
        List<String> statements = new ArrayList<>(createFunction(function, checkBody(), ""));
        statements.add(CHECK_TRIGGER.fill(Map.of(
                "constraint", constraint(),
                "guard", guardTable.sql(),
                "when", options.deferred() ? "DEFERRED" : "IMMEDIATE",
                "name", nameLiteral(),
                "function", function)));
        statements.addAll(describeTrigger(constraint(), guardTable.sql()));
        return statements;
    }

    private List<String> createTouch(SqlName table, AffectedScopes scopes) {
        String function = touchFunction(table);
        // Scopes are cast to text: a date is written one way only when its style is fixed.
        List<String> statements =
                new ArrayList<>(createFunction(function, touchBody(scopes), " SET datestyle = 'ISO'"));
        for (TableEvent event : scopes.queries().keySet()) {
            statements.add(TOUCH_TRIGGER.fill(Map.of(
                    "trigger", trigger(event),
                    "event", event.name(),
                    "table", table.sql(),
                    "transition", event.transitionTables(),
                    "function", function)));
            statements.addAll(describeTrigger(trigger(event), table.sql()));
        }
        return statements;
    }

    private List<String> describeTrigger(String trigger, String table) {
        String comment = Scripts.comment("TRIGGER " + trigger + " ON " + table, invariant);
        return options.alwaysEnabled()
                ? List.of(comment, "ALTER TABLE %s ENABLE ALWAYS TRIGGER %s".formatted(table, trigger))
                : List.of(comment);
    }

    private List<String> createFunction(String function, String body, String settings) {
        return List.of(
                FUNCTION.fill(Map.of(
                        "function",
                        function,
                        "path",
                        Preflight.searchPath(options),
                        "settings",
                        settings,
                        "body",
                        Identifiers.dollarQuote(body))),
                Scripts.comment("FUNCTION " + function + "()", invariant));
    }

    private String touchBody(AffectedScopes scopes) {
        return TOUCH.fill(Map.of(
                "branches",
                scopes.queries().entrySet().stream()
                        .map(entry -> branch(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining("ELS"))
                        .stripTrailing()));
    }

    private String branch(TableEvent event, String scopes) {
        String inKeyOrder = SCOPES_IN_KEY_ORDER.fill(Map.of("name", nameLiteral(), "scopes", scopes));
        return BRANCH.fill(Map.of("event", event.name(), "touch", guardTable.touch(inKeyOrder)));
    }

    private String checkBody() {
        return CHECK.fill(Map.of(
                "declaration", scopeDeclaration(),
                "skip", options.deferred() ? ONLY_LATEST_TOUCH.fill(Map.of("guard", guardTable.sql())) : "",
                "query", invariant.violationSqlFor("guarded.scope_key"),
                "name", nameLiteral(),
                "message", message(),
                "old", oldSnapshot(),
                "hint", hint()));
    }

    /** The key in its own type, so that the check can use indexes; the check of violated_by looks at all scopes. */
    private String scopeDeclaration() {
        return invariant.rule() instanceof Rule.Counting && invariant.scope() instanceof Scope.Table scope
                ? "scope_key %s.%s%%TYPE := NEW.scope;"
                        .formatted(
                                SqlName.parse(scope.table()).orElseThrow().sql(),
                                SqlName.parse(scope.key()).orElseThrow().sql())
                : "";
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
        List<String> statements = new ArrayList<>();
        watched.tables().forEach((table, scopes) -> {
            for (TableEvent event : scopes.queries().keySet()) {
                statements.add("DROP TRIGGER IF EXISTS %s ON %s".formatted(trigger(event), table.sql()));
            }
            statements.add("DROP FUNCTION IF EXISTS " + touchFunction(table) + "()");
        });
        statements.add("DROP TRIGGER IF EXISTS %s ON %s".formatted(constraint(), guardTable.sql()));
        statements.add("DROP FUNCTION IF EXISTS " + function("check") + "()");
        statements.add("DO "
                + Identifiers.dollarQuote(FORGET.fill(Map.of(
                        "literal", Identifiers.quoteLiteral(guardTable.sql()),
                        "guard", guardTable.sql(),
                        "name", nameLiteral()))));
        return statements;
    }

    private String nameLiteral() {
        return Identifiers.quoteLiteral(invariant.name());
    }

    private String constraint() {
        return Identifiers.quote(invariant.name());
    }

    private String trigger(TableEvent event) {
        return Identifiers.quote(Identifiers.bounded("cerrojo_" + invariant.name() + event.suffix()));
    }

    private String function(String suffix) {
        return Identifiers.quote(options.ownSchema())
                + '.'
                + Identifiers.quote(Identifiers.bounded(invariant.name() + '_' + suffix));
    }

    /** Named after the table; with its schema where that is not the default one, as two may have the same name. */
    private String touchFunction(SqlName table) {
        String schema = table.schema().orElseThrow();
        return function("touch_" + (schema.equals(options.schema()) ? "" : schema + '_') + table.name());
    }
}
