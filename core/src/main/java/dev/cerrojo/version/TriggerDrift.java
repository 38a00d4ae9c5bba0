package dev.cerrojo.version;

import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.version.VersionFinding.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

    private static final String FUNCTION = """
            SELECT p.prosrc AS body, p.provolatile AS volatility, p.prosecdef AS as_owner, l.lanname AS language,
              array_to_string(p.proconfig, chr(1)) AS settings, obj_description(p.oid, 'pg_proc') AS comment
            FROM pg_proc AS p
            JOIN pg_language AS l ON l.oid = p.prolang
            WHERE p.oid = to_regprocedure(?)""";

    private static final String SEPARATOR = "\1";

    private final Connection connection;
    private final VersionTrigger trigger;
    private final String table;
    private final List<VersionFinding> findings = new ArrayList<>();

    TriggerDrift(Connection connection, VersionTrigger trigger) {
        this.connection = connection;
        this.trigger = trigger;
        this.table = trigger.qualified().sql();
    }

    /** {@return in what they differ; one of kind NOT_INSTALLED alone when nothing is there} */
    List<VersionFinding> findings() throws SQLException {
        Optional<CatalogRow> function =
                CatalogRow.of(connection, FUNCTION, signature()).stream().findFirst();
        List<CatalogRow> triggers = new ArrayList<>(CatalogRow.of(connection, TRIGGERS, signature()));
        if (function.isEmpty() && triggers.isEmpty()) {
            return List.of(new VersionFinding(
                    Kind.NOT_INSTALLED, table, "table %s has no version triggers: install them".formatted(table)));
        }
        compareTables();
        function.ifPresentOrElse(
                this::compareFunction,
                () -> add(Kind.FUNCTION_MISSING, signature(), "function %s is missing: install anew", signature()));
        compareFamily(triggers);
        triggers.forEach(this::unexpected);
        return findings;
    }

    private String signature() {
        return trigger.functionSql() + "()";
    }

    private void compareTables() throws SQLException {
        String head = trigger.tables().head();
        if (CatalogRow.of(connection, "SELECT to_regclass(?) AS found", head)
                .get(0)
                .text("found")
                .isEmpty()) {
            add(Kind.OWN_TABLES_MISSING, head, "table %s does not exist: run `./cerrojo schema install`", head);
        }
        for (CatalogRow row : CatalogRow.all(connection, trigger.problemQuery())) {
            row.values()
                    .values()
                    .forEach(problem ->
                            add(Kind.TABLE_UNFIT, table, "table %s cannot have versions any more: %s", table, problem));
        }
    }

    private void compareFunction(CatalogRow found) {
        if (!found.text("comment").equals(trigger.comment())) {
            add(
                    Kind.OTHER_DEFINITION,
                    table,
                    "the version triggers of %s were installed from another definition, or by another version of Cerrojo:"
                            + " replace them",
                    table);
        } else if (!isSame(found)) {
            add(
                    Kind.FUNCTION_CHANGED,
                    signature(),
                    "function %s is not as Cerrojo makes it: its text, language, settings, volatility or rights are other ones;"
                            + " replace the triggers",
                    signature());
        }
    }

    private boolean isSame(CatalogRow found) {
        return found.text("body").replace("\r", "").equals(trigger.body())
                && found.text("language").equals("plpgsql")
                && found.text("volatility").equals("v")
                && !found.is("as_owner")
                && settings(found).equals(expectedSettings());
    }

    private static Set<String> settings(CatalogRow found) {
        return Arrays.stream(found.text("settings").split(SEPARATOR))
                .map(setting -> setting.split("=", 2))
                .map(setting -> setting(setting[0], setting[setting.length - 1]))
                .collect(Collectors.toSet());
    }

    private Set<String> expectedSettings() {
        return trigger.settings().entrySet().stream()
                .map(setting -> setting(setting.getKey(), setting.getValue()))
                .collect(Collectors.toSet());
    }

    /** The catalog has strings without quotes. */
    private static String setting(String name, String value) {
        return name.toLowerCase(Locale.ROOT) + '=' + value.replaceAll("^'(.*)'$", "$1");
    }

    private void compareFamily(List<CatalogRow> triggers) throws SQLException {
        List<CatalogRow> family = CatalogRow.of(connection, FAMILY, table, table, table);
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
        findings.add(new VersionFinding(kind, object, message.formatted(values)));
    }
}
