package dev.cerrojo.ownership;

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

/** Compares the trigger of an ownership with what is in the catalog. Without a search path, so that names are qualified. */
final class OwnershipInspection {
    private static final String TRIGGERS = """
            SELECT t.tgrelid AS table_oid, t.tgrelid::regclass::text AS place, t.tgenabled AS enabled,
              t.tgtype = 19 AND t.tgqual IS NULL AND t.tgnargs = 0 AND t.tgattr::text = '' AS as_made
            FROM pg_trigger AS t
            JOIN pg_proc AS p ON p.oid = t.tgfoid
            JOIN pg_namespace AS n ON n.oid = p.pronamespace
            WHERE t.tgname = ? AND n.nspname = ? AND p.proname = ?
            ORDER BY t.tgrelid""";

    private static final String FAMILY = """
            WITH RECURSIVE family (oid) AS (
              SELECT to_regclass(?)::oid
              UNION
              SELECT i.inhrelid FROM pg_inherits AS i JOIN family AS f ON i.inhparent = f.oid
            )
            SELECT f.oid, f.oid::regclass::text AS place FROM family AS f WHERE f.oid IS NOT NULL ORDER BY f.oid""";

    private final Connection connection;
    private final OwnershipTrigger trigger;
    private final List<Finding> findings = new ArrayList<>();

    OwnershipInspection(Connection connection, OwnershipTrigger trigger) {
        this.connection = connection;
        this.trigger = trigger;
    }

    /** {@return in what they differ; one of kind NOT_INSTALLED alone when nothing is there} */
    List<Finding> findings() throws SQLException {
        List<CatalogRow> triggers = new ArrayList<>(triggers());
        Optional<CatalogRow> function = function();
        if (triggers.isEmpty() && function.isEmpty()) {
            return List.of(
                    finding(Kind.NOT_INSTALLED, name(), "the ownership of %s is not installed".formatted(name())));
        }
        function.ifPresentOrElse(this::compare, this::functionIsMissing);
        List<CatalogRow> family = family();
        if (family.isEmpty()) {
            add(Kind.TABLE_MISSING, name(), "table %s does not exist".formatted(name()));
        }
        family.forEach(member -> compare(member, member.equals(family.get(0)), triggers));
        triggers.forEach(this::unexpected);
        return findings;
    }

    /** {@return what about the table cannot be kept} */
    List<Finding> unfit() throws SQLException {
        if (family().isEmpty()) {
            return List.of();
        }
        return CatalogRow.all(connection, trigger.problemQuery()).stream()
                .flatMap(row -> row.values().values().stream())
                .map(problem -> finding(
                        Kind.TABLE_UNFIT, name(), "the ownership of %s cannot be kept: %s".formatted(name(), problem)))
                .toList();
    }

    /** {@return the tables that it is on now or would be on, as SQL text} */
    Set<String> tables() throws SQLException {
        Set<String> tables = new LinkedHashSet<>();
        family().forEach(member -> tables.add(member.text("place")));
        triggers().forEach(found -> tables.add(found.text("place")));
        return tables;
    }

    private List<CatalogRow> triggers() throws SQLException {
        PlpgsqlFunction function = trigger.function();
        return CatalogRow.of(connection, TRIGGERS, OwnershipTrigger.NAME, function.schema(), function.name());
    }

    private List<CatalogRow> family() throws SQLException {
        return CatalogRow.of(connection, FAMILY, trigger.table().sql());
    }

    private Optional<CatalogRow> function() throws SQLException {
        PlpgsqlFunction function = trigger.function();
        return CatalogRow.all(connection, PlpgsqlFunction.catalogQuery(function.schema(), List.of(function.name())))
                .stream()
                .filter(function::isNamedLike)
                .findFirst();
    }

    private void functionIsMissing() {
        String function = trigger.function().sql();
        add(Kind.FUNCTION_MISSING, function, "function %s is missing: replace the ownership".formatted(function));
    }

    private void compare(CatalogRow function) {
        if (Fingerprint.in(function.text("comment"))
                .filter(other -> !other.equals(trigger.fingerprint()))
                .isPresent()) {
            add(
                    Kind.OTHER_DEFINITION,
                    name(),
                    "the ownership of %s was installed from another definition of it, with other options, or by another version of Cerrojo: replace it"
                            .formatted(name()));
            return;
        }
        String sql = trigger.function().sql();
        trigger.function()
                .differences(function)
                .forEach(how -> add(
                        Kind.FUNCTION_CHANGED,
                        sql,
                        "function %s is not as Cerrojo makes it: %s; replace the ownership".formatted(sql, how)));
    }

    private void compare(CatalogRow member, boolean top, List<CatalogRow> triggers) {
        Optional<CatalogRow> found = triggers.stream()
                .filter(row -> row.text("table_oid").equals(member.text("oid")))
                .findFirst();
        found.ifPresentOrElse(this::compareTrigger, () -> missing(member.text("place"), top));
        found.ifPresent(triggers::remove);
    }

    private void missing(String place, boolean top) {
        add(
                top ? Kind.TRIGGER_MISSING : Kind.TABLE_UNCOVERED,
                place,
                top
                        ? "the trigger is missing on table %s: replace the ownership".formatted(place)
                        : "the trigger is missing on %s, which is below %s: replace the ownership, which covers all tables below"
                                .formatted(place, name()));
    }

    private void compareTrigger(CatalogRow found) {
        String place = found.text("place");
        if (!found.is("as_made")) {
            add(
                    Kind.TRIGGER_CHANGED,
                    place,
                    "trigger %s on %s is not as Cerrojo makes it: replace the ownership"
                            .formatted(OwnershipTrigger.NAME, place));
        }
        String expected = trigger.options().alwaysEnabled() ? "A" : "O";
        String enabled = found.text("enabled");
        if (!enabled.equals(expected)) {
            add(
                    Set.of("D", "R").contains(enabled) ? Kind.TRIGGER_DISABLED : Kind.TRIGGER_MODE,
                    place,
                    "trigger %s on %s %s: ALTER TABLE %2$s ENABLE%4$s TRIGGER %1$s"
                            .formatted(
                                    OwnershipTrigger.NAME,
                                    place,
                                    mode(enabled),
                                    expected.equals("A") ? " ALWAYS" : ""));
        }
    }

    private static String mode(String enabled) {
        return switch (enabled) {
            case "D" -> "is disabled";
            case "R" -> "is disabled but for replica sessions";
            case "A" -> "fires always, but is not asked to in a replica session";
            default -> "does not fire in a replica session, but is asked to fire always";
        };
    }

    private void unexpected(CatalogRow found) {
        add(
                Kind.TRIGGER_UNEXPECTED,
                found.text("place"),
                "trigger %s on %s is none that the ownership needs: replace the ownership, or DROP TRIGGER %1$s ON %2$s"
                        .formatted(OwnershipTrigger.NAME, found.text("place")));
    }

    private void add(Kind kind, String object, String message) {
        findings.add(finding(kind, object, message));
    }

    private static Finding finding(Kind kind, String object, String message) {
        return new Finding(kind, object, message);
    }

    private String name() {
        return trigger.ownership().table();
    }
}
