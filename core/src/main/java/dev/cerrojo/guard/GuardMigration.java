package dev.cerrojo.guard;

import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.InstallationLock;
import dev.cerrojo.internal.Template;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Guards as one versioned migration, and its rollback.
 *
 * <pre>{@code
 * GuardMigration migration = GuardMigration.of(List.of(Guard.of(coverage, GuardOptions.defaults())));
 * Files.writeString(folder.resolve("V7__guard_coverage.sql"), migration.installSql());
 * Files.writeString(folder.resolve("V7__guard_coverage.sql.rollback"), migration.rollbackSql());
 * }</pre>
 *
 * <p>Each script runs in one transaction at READ COMMITTED, as Flyway runs it, without any command of psql's. The
 * migration locks the tables against writers and refuses rows that violate an invariant already (SQLSTATE 23514, the rows
 * in its DETAIL); nothing is changed then.
 *
 * <p><b>Rollback.</b> Afterwards the schema is as it was before. What guards share (the guard table, its schema, the
 * extension btree_gist) is dropped only if a migration of this class made it, which a comment on it tells, and nothing
 * uses it any more.
 */
public final class GuardMigration {
    private static final String MARK =
            "Made by a migration of guards, whose rollback drops it when nothing uses it any more.";

    private static final String POINT_MARK =
            "Made for serialization points; the rollback of that migration drops it when nothing uses it any more.";

    private static final Template BLOCK = new Template("""

            BEGIN
              PERFORM pg_advisory_xact_lock({key});
              {body}
            END
            """);

    private static final Template MAKE_TABLE = new Template("""
            IF to_regnamespace({literal}) IS NULL THEN
              {create};
              COMMENT ON SCHEMA {schema} IS {mark};
            END IF;
            IF to_regclass({tableliteral}) IS NULL THEN
              {createtable};
              COMMENT ON TABLE {table} IS {mark};
            END IF;""");

    /** A rollback of guards must not take the table away from services that touch it. */
    private static final Template KEEP_FOR_POINTS = new Template("""
            IF obj_description({tableliteral}::regclass, 'pg_class') = {mark} THEN
              COMMENT ON TABLE {table} IS {pointmark};
            END IF;""");

    private static final Template DROP_TABLE = new Template("""
            IF obj_description(to_regclass({tableliteral}), 'pg_class') = {owned} THEN
              LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE;
              IF EXISTS (SELECT 1 FROM {table})
                  OR EXISTS (SELECT 1 FROM pg_trigger AS t WHERE t.tgrelid = {tableliteral}::regclass)
                  OR to_regclass({versionsliteral}) IS NOT NULL THEN
                COMMENT ON TABLE {table} IS {mark};
              ELSE
                DROP TABLE {table};
              END IF;
            END IF;
            IF obj_description(to_regnamespace({literal}), 'pg_namespace') = {mark} THEN
              BEGIN
                DROP SCHEMA {schema};
              EXCEPTION WHEN dependent_objects_still_exist THEN
                NULL;
              END;
            END IF;""");

    private static final Template MAKE_EXTENSION = new Template("""
            IF NOT EXISTS (SELECT 1 FROM pg_extension AS e WHERE e.extname = {literal}) THEN
              {create};
              COMMENT ON EXTENSION {extension} IS {mark};
            END IF;""");

    private static final Template DROP_EXTENSION = new Template("""
            IF EXISTS (SELECT 1 FROM pg_extension AS e
                WHERE e.extname = {literal} AND obj_description(e.oid, 'pg_extension') = {mark}) THEN
              BEGIN
                DROP EXTENSION {extension};
              EXCEPTION WHEN dependent_objects_still_exist THEN
                NULL;
              END;
            END IF;""");

    private final List<Guard> guards;
    private final GuardTable table;

    private GuardMigration(List<Guard> guards, GuardTable table) {
        this.guards = List.copyOf(guards);
        this.table = table;
    }

    /**
     * {@return the migration that installs guards}
     *
     * @param guards at least one, all with the same options, each of another invariant
     * @throws IllegalArgumentException when there is none, or their own schemas differ
     */
    public static GuardMigration of(List<Guard> guards) {
        List<String> schemas = guards.stream()
                .map(guard -> Guards.options(guard).ownSchema())
                .distinct()
                .toList();
        if (schemas.size() != 1) {
            throw new IllegalArgumentException(
                    "guards of one migration must have one own schema, but have: %s".formatted(schemas));
        }
        return new GuardMigration(guards, new GuardTable(schemas.get(0)));
    }

    /** {@return the migration that makes the guard table alone, which {@code SerializationPoint.touch} needs} */
    public static GuardMigration ofGuardTable(String ownSchema) {
        return new GuardMigration(List.of(), new GuardTable(ownSchema));
    }

    /** {@return the guards that it installs; none when it makes the guard table alone} */
    public List<Guard> guards() {
        return guards;
    }

    /** {@return the script that installs them} */
    public String installSql() {
        StringBuilder script = new StringBuilder();
        head(script, guards.isEmpty() ? "Cerrojo's guard table" : "Guards of " + names());
        guards.forEach(guard -> notes(guard)
                .forEach(note ->
                        script.append("-- ").append(Scripts.oneLine(note)).append('\n')));
        statement(script, made());
        installStatements().forEach(sql -> statement(script, sql));
        return script.toString();
    }

    private static List<String> notes(Guard guard) {
        List<String> notes = new ArrayList<>();
        notes.add(guard.invariant().name() + Scripts.says(guard.invariant()) + ".");
        notes.addAll(Scripts.notes(guard));
        return notes;
    }

    /** {@return the script that takes them out again; no error when they are not there} */
    public String rollbackSql() {
        StringBuilder script = new StringBuilder();
        head(script, "Takes out " + (guards.isEmpty() ? "Cerrojo's guard table" : "the guards of " + names()));
        script.append("-- First take guarded transactions out of the services: they need the guard table.\n");
        List<Guard> backwards = new ArrayList<>(guards);
        Collections.reverse(backwards);
        backwards.forEach(guard -> guard.dropStatements().forEach(sql -> statement(script, sql)));
        statement(script, dropped());
        return script.toString();
    }

    private static void head(StringBuilder script, String title) {
        script.append("-- ").append(title).append(".\n-- Generated by Cerrojo. Run it in one transaction.\n");
    }

    private static void statement(StringBuilder script, String sql) {
        script.append('\n').append(sql).append(";\n");
    }

    private String names() {
        return guards.stream().map(guard -> guard.invariant().name()).collect(Collectors.joining(", "));
    }

    /** Without what is made, and marked, first. */
    private List<String> installStatements() {
        List<String> statements = new ArrayList<>();
        guards.forEach(guard -> statements.addAll(guard.installStatements()));
        statements.removeAll(table.createStatements());
        statements.removeIf(NativeConstraint.CREATE_EXTENSION::equals);
        return statements;
    }

    private boolean needsTable() {
        return guards.isEmpty() || guards.stream().anyMatch(TriggerGuard.class::isInstance);
    }

    private boolean needsExtension() {
        return guards.stream().anyMatch(guard -> guard.installStatements().contains(NativeConstraint.CREATE_EXTENSION));
    }

    private String made() {
        List<String> body = new ArrayList<>();
        if (needsTable()) {
            body.add(MAKE_TABLE.fill(values()));
        }
        if (guards.isEmpty()) {
            body.add(KEEP_FOR_POINTS.fill(values()));
        }
        if (needsExtension()) {
            body.add(MAKE_EXTENSION.fill(extension()));
        }
        return block(body);
    }

    private String dropped() {
        List<String> body = new ArrayList<>();
        if (needsTable()) {
            body.add(DROP_TABLE.fill(values()));
        }
        if (needsExtension()) {
            body.add(DROP_EXTENSION.fill(extension()));
        }
        return block(body);
    }

    private String block(List<String> body) {
        return "DO "
                + Identifiers.dollarQuote(BLOCK.fill(Map.of(
                        "key", Long.toString(InstallationLock.key(table.schema())), "body", String.join("\n", body))));
    }

    private Map<String, String> values() {
        String schema = Identifiers.quote(table.schema());
        return Map.ofEntries(
                Map.entry("schema", schema),
                Map.entry("literal", Identifiers.quoteLiteral(schema)),
                Map.entry("table", table.sql()),
                Map.entry("tableliteral", Identifiers.quoteLiteral(table.sql())),
                Map.entry("versionsliteral", Identifiers.quoteLiteral(schema + ".schema_version")),
                Map.entry("create", table.createStatements().get(0)),
                Map.entry("createtable", table.createStatements().get(1)),
                Map.entry("mark", Identifiers.quoteLiteral(MARK)),
                Map.entry("pointmark", Identifiers.quoteLiteral(POINT_MARK)),
                Map.entry("owned", Identifiers.quoteLiteral(guards.isEmpty() ? POINT_MARK : MARK)));
    }

    private static Map<String, String> extension() {
        return Map.of(
                "extension",
                NativeConstraint.EXTENSION,
                "literal",
                Identifiers.quoteLiteral(NativeConstraint.EXTENSION),
                "create",
                NativeConstraint.CREATE_EXTENSION,
                "mark",
                Identifiers.quoteLiteral(MARK));
    }
}
