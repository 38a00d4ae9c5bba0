package dev.cerrojo.guard;

import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.PlpgsqlFunction;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares the triggers and functions of a guard with what is in the catalog. The search path must be the guard's. */
final class TriggerInspection implements Inspection {
    private static final String TRIGGERS = """
            SELECT t.oid, t.tgname AS name, t.tgrelid AS table_oid, t.tgrelid::regclass::text AS place,
              n.nspname || '.' || p.proname AS function, t.tgenabled AS enabled, t.tgtype AS type,
              coalesce(t.tgoldtable, '') || '/' || coalesce(t.tgnewtable, '') AS transition,
              t.tgdeferrable AS deferrable, t.tginitdeferred AS deferred, t.tgconstraint <> 0 AS is_constraint,
              t.tgnargs || ' ' || t.tgattr::text AS arguments,
              substring(pg_get_triggerdef(t.oid) FROM ' WHEN (.*) EXECUTE ') AS condition
            FROM pg_trigger AS t
            JOIN pg_proc AS p ON p.oid = t.tgfoid
            JOIN pg_namespace AS n ON n.oid = p.pronamespace
            WHERE NOT t.tgisinternal AND n.nspname = ? AND t.tgname = ANY (string_to_array(?, '/'))
            ORDER BY t.tgrelid, t.tgname""";

    private static final String CHECK_TRIGGER = TRIGGERS.replace(
            "n.nspname = ? AND t.tgname = ANY (string_to_array(?, '/'))",
            "t.tgrelid = to_regclass(?) AND t.tgname = ?");

    private static final String FAMILY = """
            WITH RECURSIVE family (oid) AS (
              SELECT to_regclass(?)::oid
              UNION
              SELECT i.inhrelid FROM pg_inherits AS i JOIN family AS f ON i.inhparent = f.oid
            )
            SELECT f.oid, f.oid::regclass::text AS place FROM family AS f WHERE f.oid IS NOT NULL ORDER BY f.oid""";

    private final Connection connection;
    private final TriggerGuard guard;
    private final GuardTable guardTable;
    private final List<Finding> findings = new ArrayList<>();

    TriggerInspection(Connection connection, TriggerGuard guard) {
        this.connection = connection;
        this.guard = guard;
        this.guardTable = new GuardTable(guard.options().ownSchema());
    }

    @Override
    public List<Finding> findings() throws SQLException {
        Map<SqlName, List<CatalogRow>> families = families();
        List<CatalogRow> triggers = new ArrayList<>(touchTriggers());
        Optional<CatalogRow> check = checkTrigger();
        FunctionInspection functions = new FunctionInspection(connection, guard);
        if (triggers.isEmpty() && check.isEmpty() && functions.nothingThere()) {
            return List.of(new Finding(
                    Kind.NOT_INSTALLED,
                    guard.invariant().name(),
                    "invariant %s has no guard in the database: install it"
                            .formatted(guard.invariant().name())));
        }
        findings.addAll(new GuardTableInspection(connection, guardTable).findings());
        check.ifPresentOrElse(this::compareCheck, this::checkIsMissing);
        findings.addAll(functions.findings(
                check.map(row -> row.is("deferred")).orElse(guard.options().deferred())));
        guard.touchTriggers()
                .forEach(table -> compareFamily(table, families.getOrDefault(table.table(), List.of()), triggers));
        triggers.forEach(this::unexpected);
        return findings;
    }

    /** {@return the tables that it is on now or would be on, as SQL text} */
    Set<String> tables() throws SQLException {
        Set<String> tables = new LinkedHashSet<>();
        families().values().forEach(family -> family.forEach(member -> tables.add(member.text("place"))));
        touchTriggers().forEach(trigger -> tables.add(trigger.text("place")));
        CatalogRow.of(connection, "SELECT to_regclass(?)::text AS place", guardTable.sql())
                .forEach(row -> row.values().values().forEach(tables::add));
        return tables;
    }

    private Map<SqlName, List<CatalogRow>> families() throws SQLException {
        Map<SqlName, List<CatalogRow>> families = new LinkedHashMap<>();
        for (TouchTriggers table : guard.touchTriggers()) {
            List<CatalogRow> family =
                    CatalogRow.of(connection, FAMILY, table.table().sql());
            families.put(table.table(), family);
            if (family.isEmpty()) {
                add(
                        Kind.TABLE_MISSING,
                        table.table().sql(),
                        "table %s of the invariant does not exist",
                        table.table().sql());
            }
        }
        return families;
    }

    private List<CatalogRow> touchTriggers() throws SQLException {
        String names = Arrays.stream(TableEvent.values())
                .map(event -> TouchTriggers.name(guard.invariant(), event))
                .collect(Collectors.joining("/"));
        return CatalogRow.of(connection, TRIGGERS, guard.options().ownSchema(), names);
    }

    private Optional<CatalogRow> checkTrigger() throws SQLException {
        return CatalogRow.of(
                        connection,
                        CHECK_TRIGGER,
                        guardTable.sql(),
                        guard.invariant().name())
                .stream()
                .findFirst();
    }

    private void checkIsMissing() {
        add(
                Kind.TRIGGER_MISSING,
                guardTable.sql(),
                "constraint trigger %s, which checks, is missing on %s: install the guard anew",
                guard.invariant().name(),
                guardTable.sql());
    }

    private void compareCheck(CatalogRow trigger) {
        String condition =
                "((new.invariant = '%s'::text))".formatted(guard.invariant().name());
        boolean same = trigger.is("is_constraint")
                && trigger.text("type").equals("21")
                && trigger.text("arguments").strip().equals("0")
                && calls(trigger, guard.checkFunction())
                && trigger.text("condition").equals(condition);
        if (!same) {
            changed(trigger);
        }
        boolean deferred = guard.options().deferred();
        if (!trigger.is("deferrable") || trigger.is("deferred") != deferred) {
            add(
                    Kind.DEFERRABILITY,
                    trigger.text("name"),
                    "constraint trigger %s must be DEFERRABLE INITIALLY %s, but is %s: replace the guard",
                    trigger.text("name"),
                    deferred ? "DEFERRED" : "IMMEDIATE",
                    !trigger.is("deferrable")
                            ? "NOT DEFERRABLE"
                            : "INITIALLY " + (trigger.is("deferred") ? "DEFERRED" : "IMMEDIATE"));
        }
        compareMode(trigger);
    }

    private void compareFamily(TouchTriggers expected, List<CatalogRow> family, List<CatalogRow> triggers) {
        for (CatalogRow member : family) {
            boolean top = member.equals(family.get(0));
            for (TableEvent event : expected.events()) {
                String name = TouchTriggers.name(guard.invariant(), event);
                Optional<CatalogRow> found = triggers.stream()
                        .filter(row -> row.text("name").equals(name)
                                && row.text("table_oid").equals(member.text("oid")))
                        .findFirst();
                found.ifPresentOrElse(
                        row -> compareTouch(row, event, expected.function()), () -> missing(member, event, top));
                found.ifPresent(triggers::remove);
            }
        }
    }

    private void missing(CatalogRow member, TableEvent event, boolean top) {
        add(
                top ? Kind.TRIGGER_MISSING : Kind.TABLE_UNCOVERED,
                member.text("place"),
                top
                        ? "the trigger for %s is missing on table %s: replace the guard"
                        : "the trigger for %s is missing on %s, which is below a table of the invariant: replace the guard,"
                                + " which covers all tables below",
                event,
                member.text("place"));
    }

    private void compareTouch(CatalogRow trigger, TableEvent event, PlpgsqlFunction function) {
        boolean same = trigger.text("type").equals(event.catalogType())
                && trigger.text("transition").equals(event.catalogTransition())
                && trigger.text("arguments").strip().equals("0")
                && trigger.text("condition").isEmpty()
                && calls(trigger, function);
        if (!same) {
            changed(trigger);
        }
        compareMode(trigger);
    }

    private static boolean calls(CatalogRow trigger, PlpgsqlFunction function) {
        return trigger.text("function").equals(function.schema() + '.' + function.name());
    }

    private void changed(CatalogRow trigger) {
        add(
                Kind.TRIGGER_CHANGED,
                trigger.text("place"),
                "trigger %s on %s is not as Cerrojo makes it: replace the guard",
                trigger.text("name"),
                trigger.text("place"));
    }

    private void compareMode(CatalogRow trigger) {
        String expected = guard.options().alwaysEnabled() ? "A" : "O";
        String enabled = trigger.text("enabled");
        if (enabled.equals("D") || enabled.equals("R")) {
            add(
                    Kind.TRIGGER_DISABLED,
                    trigger.text("place"),
                    "trigger %s on %s is disabled%s: ALTER TABLE %2$s ENABLE%4$s TRIGGER %1$s",
                    trigger.text("name"),
                    trigger.text("place"),
                    enabled.equals("R") ? " but for replica sessions" : "",
                    expected.equals("A") ? " ALWAYS" : "");
        } else if (!enabled.equals(expected)) {
            add(
                    Kind.TRIGGER_MODE,
                    trigger.text("place"),
                    "trigger %s on %s fires %s: ALTER TABLE %2$s ENABLE%4$s TRIGGER %1$s",
                    trigger.text("name"),
                    trigger.text("place"),
                    enabled.equals("A")
                            ? "always, but is not asked to in a replica session"
                            : "not in a replica session, but is asked to fire always",
                    expected.equals("A") ? " ALWAYS" : "");
        }
    }

    private void unexpected(CatalogRow trigger) {
        add(
                Kind.TRIGGER_UNEXPECTED,
                trigger.text("place"),
                "trigger %s on %s is none that the invariant needs: replace the guard, or DROP TRIGGER %1$s ON %2$s",
                trigger.text("name"),
                trigger.text("place"));
    }

    private void add(Kind kind, String object, String message, Object... values) {
        findings.add(new Finding(kind, object, message.formatted(values)));
    }

    @Override
    public List<String> problemQueries() {
        return guard.problemQueries();
    }
}
