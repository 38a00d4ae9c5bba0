package dev.cerrojo.version;

import dev.cerrojo.internal.Fingerprint;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.PlpgsqlFunction;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The triggers that record the changes of a table, whoever writes: as SQL to install and to drop.
 *
 * <pre>{@code
 * VersionTrigger trigger = VersionTrigger.of(articles, VersionTriggerOptions.defaults());
 * Files.writeString(Path.of("V8__article_versions.sql"), trigger.installSql());
 * }</pre>
 *
 * <p><b>How.</b> After each statement that inserts, updates or deletes, one trigger compares the rows before and after, joined by the key,
 * and records what differs with the same statement as {@link Versions}: as versions, or as log entries, or not at all. A row whose key was
 * changed is one that is gone and one that is new. TRUNCATE tells no rows, so it is refused with SQLSTATE 55000, but for a transaction that
 * suppresses versions.
 *
 * <p><b>Partitions.</b> The triggers stand on the table and on each partition at every level. One that is made or attached later has none,
 * which {@link VersionTriggers#verify} tells: what is written to it directly is not recorded until they are installed anew.
 *
 * <p><b>Rights.</b> The function runs with the rights of whoever writes (no SECURITY DEFINER), who needs USAGE on the own schema, and SELECT,
 * INSERT, UPDATE and DELETE on its tables of versions.
 *
 * @param table which table
 * @param options how
 */
public record VersionTrigger(VersionedTable table, VersionTriggerOptions options) {
    private static final Template FUNCTION = new Template("""

            #variable_conflict use_column
            DECLARE
              recorded bigint;
            BEGIN
              IF TG_OP = 'TRUNCATE' THEN
                IF coalesce(current_setting('{suppressed}', true), '') = '' THEN
                  RAISE EXCEPTION USING ERRCODE = '55000',
                    MESSAGE = {refusal},
                    HINT = 'TRUNCATE does not tell which rows it removes: use DELETE, or suppress versions in its transaction.';
                END IF;
              ELSIF TG_OP = 'INSERT' THEN
                {inserted};
              ELSIF TG_OP = 'UPDATE' THEN
                {updated};
              ELSE
                {deleted};
              END IF;
              RETURN NULL;
            END
            """);

    private static final Template PREFLIGHT = new Template("""

            DECLARE
              problem text;
            BEGIN
              LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE;
              IF to_regclass({head}) IS NULL THEN
                RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = {missing};
              END IF;
              problem := (
                {problem}
              );
              IF problem IS NOT NULL THEN
                RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = {message} || problem;
              END IF;
            END
            """);

    private static final Template FAMILY = new Template("""

            DECLARE
              member record;
            BEGIN
              -- A statement on a partition fires its own triggers, not those of the table above it.
              FOR member IN
                SELECT t.relid::regclass::text AS place FROM pg_partition_tree({table}::regclass) AS t
                UNION
                SELECT {table}::regclass::text
              LOOP
                {statements}
              END LOOP;
            END
            """);

    /** Also what stands on partitions that were detached. */
    private static final Template DROP = new Template("""

            DECLARE
              found record;
            BEGIN
              FOR found IN
                SELECT t.tgname AS name, t.tgrelid::regclass::text AS place
                FROM pg_trigger AS t
                WHERE t.tgfoid = to_regprocedure({signature}) AND NOT t.tgisinternal
                ORDER BY t.tgrelid, t.tgname
              LOOP
                EXECUTE format('DROP TRIGGER %I ON %s', found.name, found.place);
              END LOOP;
            END
            """);

    /** {@return the triggers of a table} */
    public static VersionTrigger of(VersionedTable table, VersionTriggerOptions options) {
        return new VersionTrigger(table, options);
    }

    /**
     * {@return the statements that install it, in order, each without a semicolon at its end}
     *
     * <p>They lock the table first ({@code SHARE ROW EXCLUSIVE}: writers wait, readers do not), and belong in one transaction. A table that
     * cannot have versions is refused with SQLSTATE 0A000.
     */
    public List<String> installStatements() {
        return List.of(
                "DO " + Identifiers.dollarQuote(preflight()),
                function().createSql(),
                Fingerprint.comment(
                        "FUNCTION " + function().sql() + "()",
                        "Versions of table " + VersionedTable.plain(qualified()),
                        fingerprint()),
                "DO " + Identifiers.dollarQuote(onFamily()));
    }

    /** {@return the statements that drop it, in order; no error when it is not there. What it recorded stays} */
    public List<String> dropStatements() {
        return List.of(
                "DO " + Identifiers.dollarQuote(DROP.fill(Map.of("signature", literal(signature())))),
                function().dropSql());
    }

    /** {@return the statements that install it as one script, fit for a migration} */
    public String installSql() {
        return script("Versions of table " + VersionedTable.plain(qualified()), installStatements());
    }

    /** {@return the statements that drop it as one script} */
    public String dropSql() {
        return script("Drops the version triggers of table " + VersionedTable.plain(qualified()), dropStatements());
    }

    private static String script(String title, List<String> statements) {
        return statements.stream()
                .collect(Collectors.joining(
                        ";\n\n",
                        "-- %s.\n-- Generated by Cerrojo. Run it in one transaction.\n\n"
                                .formatted(title.replaceAll("\\s*[\r\n]\\s*", " ")),
                        ";\n"));
    }

    SqlName qualified() {
        return table.name().in(options.schema());
    }

    VersionTables tables() {
        return new VersionTables(options.ownSchema());
    }

    /** {@return the function, named after the table, and its schema where that is not the default one} */
    PlpgsqlFunction function() {
        String schema = qualified().schema().orElseThrow();
        String name = Identifiers.bounded("version_"
                + (schema.equals(options.schema()) ? "" : schema + '_')
                + qualified().name());
        return new PlpgsqlFunction(options.ownSchema(), name, "", "trigger", settings(), body());
    }

    /** {@return the function as {@code regprocedure} reads it} */
    String signature() {
        return function().sql() + "()";
    }

    /** Values become JSON in one form, whatever a session has set. */
    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("search_path", "pg_catalog, pg_temp");
        settings.put("timezone", "'UTC'");
        settings.put("datestyle", "'ISO'");
        settings.put("intervalstyle", "'iso_8601'");
        settings.put("bytea_output", "'hex'");
        settings.put("extra_float_digits", "'1'");
        return settings;
    }

    private String body() {
        String refusal = "TRUNCATE of table " + VersionedTable.plain(qualified())
                + ", which has versions, would remove rows without a version";
        return FUNCTION.fill(Map.of(
                "suppressed",
                Suppression.SETTING,
                "refusal",
                literal(refusal),
                "inserted",
                record("NULL::jsonb AS before, n.image AS after", "(\n  " + images("cerrojo_new") + "\n) AS n"),
                "updated",
                record("o.image AS before, n.image AS after", """
                        (
                          %s
                        ) AS o
                        FULL JOIN (
                          %s
                        ) AS n ON n.entity_key = o.entity_key
                        WHERE o.image IS DISTINCT FROM n.image""".formatted(
                                images("cerrojo_old"), images("cerrojo_new"))),
                "deleted",
                record("o.image AS before, NULL::jsonb AS after", "(\n  " + images("cerrojo_old") + "\n) AS o")));
    }

    private String images(String transitionTable) {
        return table.images(transitionTable + " AS cerrojo_row").replace("\n", "\n  ");
    }

    private String record(String images, String from) {
        String key = from.contains("FULL JOIN")
                ? "coalesce(o.entity_key, n.entity_key)"
                : images.startsWith("NULL") ? "n.entity_key" : "o.entity_key";
        String source = "SELECT %s AS entity, %s AS entity_key, %s\nFROM %s"
                .formatted(literal(table.entityType()), key, images, from);
        return RecordSql.of(tables(), source, options.unsaid(), "SELECT count(*) INTO recorded FROM versions");
    }

    private String preflight() {
        String name = VersionedTable.plain(qualified());
        return PREFLIGHT.fill(Map.of(
                "table",
                qualified().sql(),
                "head",
                literal(tables().head()),
                "missing",
                literal(
                        "Cerrojo's tables of versions are not installed in schema %s: run `./cerrojo schema install` first"
                                .formatted(options.ownSchema())),
                "problem",
                problemQuery(),
                "message",
                literal("table " + name + " cannot have versions: ")));
    }

    /** {@return a query with one text: why the table cannot have versions, or NULL} */
    String problemQuery() {
        return KeyCheck.sql(qualified(), table);
    }

    private String onFamily() {
        List<String> statements = new ArrayList<>();
        String place = "%1$s";
        for (TriggerEvent event : TriggerEvent.values()) {
            statements.add(event.createSql(place, function().sql().replace("%", "%%")));
            if (options.alwaysEnabled()) {
                statements.add("ALTER TABLE %s ENABLE ALWAYS TRIGGER %s".formatted(place, event.triggerName()));
            }
        }
        return FAMILY.fill(Map.of(
                "table",
                literal(qualified().sql()),
                "statements",
                statements.stream()
                        .map(sql -> "EXECUTE format(" + literal(sql) + ", member.place);")
                        .collect(Collectors.joining("\n"))));
    }

    /** {@return what tells this definition from another} */
    String fingerprint() {
        return Fingerprint.of(List.of(body()));
    }

    private static String literal(String text) {
        return Identifiers.quoteLiteral(text);
    }
}
