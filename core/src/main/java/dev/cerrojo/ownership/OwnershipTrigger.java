package dev.cerrojo.ownership;

import dev.cerrojo.internal.Fingerprint;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.PlpgsqlFunction;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An ownership that the database itself keeps, whoever writes: as SQL to install and to drop.
 *
 * <pre>{@code
 * OwnershipTrigger trigger = OwnershipTrigger.of(ownership, OwnershipOptions.preserve());
 * Files.writeString(Path.of("V8__article_ownership.sql"), trigger.installSql());
 * }</pre>
 *
 * <p><b>How.</b> A row trigger before each UPDATE compares the row as it is with the row that is to be. The former is the newest
 * one, under its lock: at READ COMMITTED PostgreSQL has waited for whoever was writing it, and has looked at the row again. So what
 * a writer read long ago does not matter: {@link TriggerMode#REJECT} refuses a change of what is another's, and
 * {@link TriggerMode#PRESERVE} keeps it.
 *
 * <p><b>Who acts</b> is told by the setting {@code cerrojo.actor}, {@code editor} or {@code system}: by {@link OwnedTable}, by
 * {@code SET LOCAL} first in a transaction, or for a role that is always the same by {@code ALTER ROLE … SET}. Whoever may write the
 * table may say what it likes: this keeps honest programs apart. Against others use rights by column, {@link Ownership#grantSql}.
 *
 * <p><b>Shared fields.</b> Of a merge that needs what the writer had read, a trigger knows nothing: such fields are only written by
 * {@link OwnedTable}, and others are refused or keep them. {@code first_wins} and {@code greater} the trigger merges itself (preserve),
 * or refuses what they would not give (reject); {@code last_wins} it leaves. A version never becomes less.
 *
 * <p><b>What it leaves alone.</b> INSERT and DELETE: a row's first values are nobody's yet, and who may delete is a matter of rights;
 * the UPDATE of an INSERT … ON CONFLICT is one like any other. Keys. What the database does by itself: triggers that fire after it (its
 * name begins with an underscore, which comes before lower-case letters), UPDATEs that triggers run, also those of a view's INSTEAD OF, and foreign
 * keys with ON DELETE SET NULL and its like. Generated columns. Logical replication, and sessions with
 * {@code session_replication_role = replica} unless {@link OwnershipOptions#alwaysEnabled()}.
 *
 * <p><b>Partitions and children.</b> Partitions get it from the table, those too that come later. Tables that inherit get one of
 * their own when it is installed.
 */
public final class OwnershipTrigger {
    /** Before others: PostgreSQL fires the triggers of one event by name. */
    static final String NAME = "_cerrojo_ownership";

    private static final Template CREATE = new Template("""
            CREATE TRIGGER {trigger} BEFORE UPDATE ON {table}
              FOR EACH ROW EXECUTE FUNCTION {function}()""");

    private static final Template BELOW = new Template("""

            DECLARE
              member record;
            BEGIN
              -- Partitions have the trigger of the table above them; what inherits has none.
              FOR member IN
                WITH RECURSIVE below (oid) AS (
                  SELECT i.inhrelid FROM pg_inherits AS i WHERE i.inhparent = {table}::regclass
                  UNION
                  SELECT i.inhrelid FROM pg_inherits AS i JOIN below AS b ON i.inhparent = b.oid
                )
                SELECT c.oid::regclass::text AS place, c.relispartition AS is_partition
                FROM below AS b JOIN pg_class AS c ON c.oid = b.oid ORDER BY b.oid
              LOOP
                IF NOT member.is_partition THEN
                  {create}
                END IF;
                {mode}
              END LOOP;
            END
            """);

    private static final Template PREFLIGHT = new Template("""

            DECLARE
              problem text;
            BEGIN
              {query} INTO problem;
              IF problem IS NOT NULL THEN
                RAISE EXCEPTION USING ERRCODE = '0A000',
                  MESSAGE = {message} || problem,
                  HINT = 'Declare each column once, in the ownership of the table that the data is in.';
              END IF;
              {ordered}
            END
            """);

    /** Also where an older definition left it. */
    private static final Template DROP = new Template("""

            DECLARE
              found record;
            BEGIN
              FOR found IN
                SELECT t.tgrelid::regclass::text AS place
                FROM pg_trigger AS t
                JOIN pg_proc AS p ON p.oid = t.tgfoid
                JOIN pg_namespace AS n ON n.oid = p.pronamespace
                WHERE t.tgparentid = 0 AND t.tgname = {trigger} AND n.nspname = {schema} AND p.proname = {function}
                ORDER BY t.tgrelid
              LOOP
                EXECUTE format('DROP TRIGGER {name} ON %s', found.place);
              END LOOP;
            END
            """);

    private final Ownership ownership;
    private final OwnershipOptions options;
    private final SqlName table;

    private OwnershipTrigger(Ownership ownership, OwnershipOptions options) {
        this.ownership = ownership;
        this.options = options;
        this.table = ownership.tableName().in(options.schema());
    }

    /** {@return the trigger of an ownership} */
    public static OwnershipTrigger of(Ownership ownership, OwnershipOptions options) {
        return new OwnershipTrigger(ownership, options);
    }

    /** {@return what it keeps} */
    public Ownership ownership() {
        return ownership;
    }

    /** {@return how it is made} */
    public OwnershipOptions options() {
        return options;
    }

    /** {@return the statements that install it, in order, each without a semicolon at its end} */
    public List<String> installStatements() {
        List<String> statements = new ArrayList<>();
        statements.add("CREATE SCHEMA IF NOT EXISTS " + Identifiers.quote(options.ownSchema()));
        statements.add(preflight());
        statements.add(function().createSql());
        statements.add(Fingerprint.comment("FUNCTION " + function().sql() + "()", what(), fingerprint()));
        statements.add(create(table.sql()));
        statements.add(Fingerprint.comment("TRIGGER " + NAME + " ON " + table.sql(), what(), fingerprint()));
        if (options.alwaysEnabled()) {
            statements.add(always(table.sql()));
        }
        statements.add("DO " + Identifiers.dollarQuote(below()));
        return statements;
    }

    /** {@return the statements that drop it, in order; no error when it is not there} */
    public List<String> dropStatements() {
        return List.of(
                "DO "
                        + Identifiers.dollarQuote(DROP.fill(Map.of(
                                "trigger", Identifiers.quoteLiteral(NAME),
                                "name", NAME,
                                "schema", Identifiers.quoteLiteral(options.ownSchema()),
                                "function", Identifiers.quoteLiteral(function().name())))),
                function().dropSql());
    }

    /** {@return the statements that install it as one script, fit for a migration} */
    public String installSql() {
        return script(what(), installStatements());
    }

    /** {@return the statements that drop it as one script} */
    public String dropSql() {
        return script("Drops the ownership of " + ownership.table(), dropStatements());
    }

    private static String script(String title, List<String> statements) {
        String head = "-- %s.\n-- Generated by Cerrojo. Run it in one transaction.\n\n"
                .formatted(title.replaceAll("\\s+", " "));
        return statements.stream().collect(Collectors.joining(";\n\n", head, ";\n"));
    }

    private String what() {
        return "Ownership of " + ownership.table();
    }

    private String create(String place) {
        return CREATE.fill(
                Map.of("trigger", NAME, "table", place, "function", function().sql()));
    }

    private static String always(String place) {
        return "ALTER TABLE %s ENABLE ALWAYS TRIGGER %s".formatted(place, NAME);
    }

    private String below() {
        return BELOW.fill(Map.of(
                "table", Identifiers.quoteLiteral(table.sql()),
                "create", executed(create("\0")),
                "mode", options.alwaysEnabled() ? executed(always("\0")) : ""));
    }

    /** The same for {@code member.place}; no name has the character that stands for it meanwhile. */
    private static String executed(String sql) {
        return "EXECUTE format(%s, member.place);"
                .formatted(Identifiers.quoteLiteral(sql.replace("%", "%%").replace("\0", "%1$s")));
    }

    private String preflight() {
        return "DO "
                + Identifiers.dollarQuote(PREFLIGHT.fill(Map.of(
                        "query", problemQuery(),
                        "message",
                                Identifiers.quoteLiteral("the ownership of " + ownership.table() + " cannot be kept: "),
                        "ordered", ordered())));
    }

    /** Fails with 42883 where a column has no order. */
    private String ordered() {
        String greatest = new OwnershipBody(ownership, options)
                .growing().stream()
                        .map(Identifiers::quote)
                        .map(column -> "greatest(%1$s, %1$s)".formatted(column))
                        .collect(Collectors.joining(", "));
        return greatest.isEmpty() ? "" : "PERFORM %s FROM %s WHERE false;".formatted(greatest, table.sql());
    }

    /** {@return a query with one text: what about the table it cannot keep, or NULL} */
    String problemQuery() {
        return OwnershipProblems.query(ownership, table);
    }

    /** {@return the table, qualified} */
    SqlName table() {
        return table;
    }

    /** Named after the table; with its schema where that is not the default one, as two may have the same name. */
    PlpgsqlFunction function() {
        String schema = table.schema().orElseThrow();
        String place = (schema.equals(options.schema()) ? "" : schema + '_') + table.name();
        return new PlpgsqlFunction(
                options.ownSchema(),
                Identifiers.bounded(place + "_ownership"),
                "",
                "trigger",
                Map.of("search_path", "pg_catalog, pg_temp"),
                new OwnershipBody(ownership, options).text());
    }

    /** {@return what tells this definition from another} */
    String fingerprint() {
        return Fingerprint.of(List.of(function().body()));
    }
}
