package dev.cerrojo.version;

import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.Fingerprint;
import dev.cerrojo.internal.PlpgsqlFunction;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares version triggers with what is in the catalog. */
final class TriggerDrift {
    private static final String TRIGGERS = """
            SELECT t.tgname AS name, t.tgrelid AS table_oid, t.tgrelid::regclass::text AS place, t.tgenabled AS enabled,
              t.tgtype || ' ' || coalesce(t.tgoldtable, '') || '/' || coalesce(t.tgnewtable, '') AS shape,
              t.tgqual IS NULL AND t.tgnargs = 0 AND t.tgattr::text = '' AND t.tgconstraint = 0 AS plain
            FROM pg_trigger AS t
            WHERE t.tgfoid = to_regprocedure(?) AND NOT t.tgisinternal
            ORDER BY t.tgrelid, t.tgname""";

    private static final String FAMILY = """
            SELECT m.oid, m.oid::regclass::text AS place, m.oid = to_regclass(?) AS top
            FROM (
              SELECT to_regclass(?)::oid AS oid
              UNION
              SELECT t.relid FROM pg_partition_tree(to_regclass(?)) AS t
            ) AS m
            WHERE m.oid IS NOT NULL ORDER BY top DESC, m.oid""";

    private final Connection connection;
    private final VersionTrigger trigger;
    private final String table;
    private final List<Finding> findings = new ArrayList<>();

    TriggerDrift(Connection connection, VersionTrigger trigger) {
        this.connection = connection;
        this.trigger = trigger;
        this.table = trigger.qualified().sql();
    }

    /** {@return in what they differ; one of kind NOT_INSTALLED alone when nothing is there} */
    List<Finding> findings() throws SQLException {
        Optional<CatalogRow> function = function();
        List<CatalogRow> triggers = triggers();
        if (function.isEmpty() && triggers.isEmpty()) {
            return List.of(new Finding(
                    Kind.NOT_INSTALLED, table, "table %s has no version triggers: install them".formatted(table)));
        }
        compareTables();
        function.ifPresentOrElse(
                this::compareFunction,
                () -> add(
                        Kind.FUNCTION_MISSING,
                        trigger.signature(),
                        "function %s is missing: replace the triggers",
                        trigger.signature()));
        compareFamily(triggers);
        triggers.forEach(this::unexpected);
        return findings;
    }

    private Optional<CatalogRow> function() throws SQLException {
        PlpgsqlFunction function = trigger.function();
        return CatalogRow.all(connection, PlpgsqlFunction.catalogQuery(function.schema(), List.of(function.name())))
                .stream()
                .filter(function::isNamedLike)
                .findFirst();
    }

    private List<CatalogRow> triggers() throws SQLException {
        return new ArrayList<>(CatalogRow.of(connection, TRIGGERS, trigger.signature()));
    }

    private List<CatalogRow> family() throws SQLException {
        return CatalogRow.of(connection, FAMILY, table, table, table);
    }

    /** {@return the tables that they are on now or would be on, as SQL text} */
    Set<String> tables() throws SQLException {
        Set<String> tables = new LinkedHashSet<>();
        family().forEach(member -> tables.add(member.text("place")));
        triggers().forEach(found -> tables.add(found.text("place")));
        return tables;
    }

    private void compareTables() throws SQLException {
        String head = trigger.tables().head();
        if (CatalogRow.of(connection, "SELECT to_regclass(?) AS found", head)
                .get(0)
                .text("found")
                .isEmpty()) {
            add(Kind.TABLE_MISSING, head, "table %s does not exist: run `./cerrojo schema install`", head);
        }
        for (CatalogRow row : CatalogRow.all(connection, trigger.problemQuery())) {
            row.values()
                    .values()
                    .forEach(problem ->
                            add(Kind.TABLE_UNFIT, table, "table %s cannot have versions any more: %s", table, problem));
        }
    }

    private void compareFunction(CatalogRow found) {
        if (!Fingerprint.in(found.text("comment"))
                .filter(trigger.fingerprint()::equals)
                .isPresent()) {
            add(
                    Kind.OTHER_DEFINITION,
                    table,
                    "the version triggers of %s were installed from another definition, or by another version of Cerrojo:"
                            + " replace them",
                    table);
            return;
        }
        for (String difference : trigger.function().differences(found)) {
            add(
                    Kind.FUNCTION_CHANGED,
                    trigger.signature(),
                    "function %s is not as Cerrojo makes it: %s; replace the triggers",
                    trigger.signature(),
                    difference);
        }
    }

    private void compareFamily(List<CatalogRow> triggers) throws SQLException {
        List<CatalogRow> family = family();
        if (family.isEmpty()) {
            add(Kind.TABLE_MISSING, table, "table %s does not exist", table);
        }
        for (CatalogRow member : family) {
            for (TriggerEvent event : TriggerEvent.values()) {
                Optional<CatalogRow> found = triggers.stream()
                        .filter(row -> row.text("name").equals(event.triggerName())
                                && row.text("table_oid").equals(member.text("oid")))
                        .findFirst();
                found.ifPresentOrElse(row -> compare(row, event), () -> missing(member, event));
                found.ifPresent(triggers::remove);
            }
        }
    }

    private void missing(CatalogRow member, TriggerEvent event) {
        add(
                member.is("top") ? Kind.TRIGGER_MISSING : Kind.TABLE_UNCOVERED,
                member.text("place"),
                "the version trigger for %s is missing on %s: replace the triggers, which covers all partitions",
                event,
                member.text("place"));
    }

    private void compare(CatalogRow found, TriggerEvent event) {
        if (!found.is("plain") || !found.text("shape").equals(event.catalogShape())) {
            add(
                    Kind.TRIGGER_CHANGED,
                    found.text("place"),
                    "trigger %s on %s is not as Cerrojo makes it: replace the triggers",
                    found.text("name"),
                    found.text("place"));
        }
        compareMode(found);
    }

    private void compareMode(CatalogRow found) {
        String expected = trigger.options().alwaysEnabled() ? "A" : "O";
        String enabled = found.text("enabled");
        if (!enabled.equals(expected)) {
            boolean off = enabled.equals("D") || enabled.equals("R");
            add(
                    off ? Kind.TRIGGER_DISABLED : Kind.TRIGGER_MODE,
                    found.text("place"),
                    "trigger %s on %s is %s: ALTER TABLE %2$s ENABLE%4$s TRIGGER %1$s",
                    found.text("name"),
                    found.text("place"),
                    off ? "disabled" : "enabled in other sessions than it is asked to be",
                    expected.equals("A") ? " ALWAYS" : "");
        }
    }

    private void unexpected(CatalogRow found) {
        add(
                Kind.TRIGGER_UNEXPECTED,
                found.text("place"),
                "trigger %s on %s records versions of %s, which that is no part of: replace the triggers, or DROP TRIGGER %1$s ON %2$s",
                found.text("name"),
                found.text("place"),
                table);
    }

    private void add(Kind kind, String object, String message, Object... values) {
        findings.add(new Finding(kind, object, message.formatted(values)));
    }
}
