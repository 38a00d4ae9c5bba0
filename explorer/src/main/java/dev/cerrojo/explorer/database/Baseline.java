package dev.cerrojo.explorer.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The start state of a scratch database, and the way back to it.
 *
 * <p>Each table's rows are kept in a copy; a function in the database puts back, in one round trip, the tables whose rows
 * are not those that it wrote itself (known by their {@code xmin}) and all sequences. It runs as a replica, so that neither
 * triggers nor foreign keys act; triggers and rules that act in a replica are off meanwhile. DDL that a run did is noticed by an event
 * trigger, which counts with a sequence because that outlives a rollback; where the role may not make one, by a hash of the
 * catalogs. The database must then be made anew.
 */
final class Baseline {
    /** Also the partitioned ones, which have no rows of their own, but must be truncated together with what they refer to. */
    private static final String TABLES = """
            SELECT c.oid::regclass::text,
                   (SELECT coalesce(string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum), '')
                      FROM pg_attribute a
                     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''),
                   c.relkind = 'p',
                   coalesce(active.off, ''),
                   coalesce(active.on, '')
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
                   LATERAL (
                     SELECT string_agg(format('ALTER TABLE ONLY %s DISABLE %s %I;', c.oid::regclass, kind, name), ' ') AS off,
                            string_agg(format('ALTER TABLE ONLY %s ENABLE %s %s %I;', c.oid::regclass,
                                              CASE enabled WHEN 'A' THEN 'ALWAYS' ELSE 'REPLICA' END, kind, name), ' ') AS on
                       FROM (SELECT 'TRIGGER', tgname, tgenabled FROM pg_trigger
                              WHERE tgrelid = c.oid AND NOT tgisinternal AND tgenabled IN ('A', 'R')
                              UNION ALL
                             SELECT 'RULE', rulename, ev_enabled FROM pg_rewrite
                              WHERE ev_class = c.oid AND ev_enabled IN ('A', 'R')) AS acting(kind, name, enabled)) AS active
             WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer')
               AND n.nspname NOT LIKE 'pg\\_%' AND c.relpersistence <> 't'
             ORDER BY c.oid""";

    /** Large objects are not put back; of those that the role can read it is noticed that they are others. */
    private static final String LARGE_OBJECTS = """
            SELECT coalesce(bit_xor(hashtextextended(oid || ' ' || encode(lo_get(oid), 'hex'), 0)), 0)
              FROM pg_largeobject_metadata WHERE pg_has_role(lomowner, 'USAGE')""";

    private static final String SEQUENCES = """
            SELECT c.oid::regclass::text
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind = 'S' AND n.nspname NOT LIKE 'pg\\_%'
             ORDER BY c.oid""";

    /** All that DDL defines, but what TRUNCATE, VACUUM and ANALYZE change too. Sequences are put back. */
    private static final String CATALOGS = """
            SELECT bit_xor(hashtextextended(line, 0)) FROM (
              SELECT ROW(c.oid, relname, relnamespace, reloftype, relowner, relam, relpersistence, relkind, relnatts,
                         relchecks, relrowsecurity, relforcerowsecurity, relispopulated, relreplident, relacl, reloptions,
                         pg_get_expr(relpartbound, c.oid), CASE relkind WHEN 'm' THEN relfilenode END)::text
                FROM pg_class c WHERE c.oid >= 16384 AND relpersistence <> 't'
              UNION ALL
              SELECT ROW(attrelid, attname, atttypid, attnum, atttypmod, attnotnull, atthasdef, attidentity, attgenerated,
                         attisdropped, attcollation, attacl)::text
                FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
               WHERE c.oid >= 16384 AND relpersistence <> 't'
              UNION ALL SELECT o::text FROM pg_namespace o WHERE nspname NOT LIKE 'pg\\_temp%' AND nspname NOT LIKE 'pg\\_toast\\_temp%'
              UNION ALL SELECT o::text FROM pg_attrdef o
              UNION ALL SELECT o::text FROM pg_constraint o WHERE o.oid >= 16384
              UNION ALL SELECT o::text FROM pg_enum o
              UNION ALL SELECT ROW(inhrelid, inhparent)::text FROM pg_inherits
              UNION ALL SELECT ROW(indexrelid, indrelid, indkey, indisunique, indisvalid, indisexclusion)::text FROM pg_index
                         WHERE indexrelid >= 16384
              UNION ALL SELECT o::text FROM pg_policy o
              UNION ALL SELECT o::text FROM pg_proc o WHERE o.oid >= 16384
              UNION ALL SELECT ROW(o.oid, rulename, ev_class, ev_type, ev_enabled, is_instead, md5(ev_action::text))::text
                          FROM pg_rewrite o WHERE o.oid >= 16384
              UNION ALL SELECT o::text FROM pg_sequence o
              UNION ALL SELECT o::text FROM pg_trigger o
              UNION ALL SELECT ROW(o.oid, typname, typnamespace, typtype, typnotnull, typdefault, typacl)::text
                          FROM pg_type o LEFT JOIN pg_class c ON c.oid = typrelid
                         WHERE o.oid >= 16384 AND o.typtype <> 'c' AND o.typelem = 0
            ) AS defined(line)""";

    /** Tables and indexes, with the bytes up to which it is clear which row is on which page: btrees have one page more. */
    private static final String RELATIONS = """
            SELECT string_agg(format('(%s::oid, %s)', c.oid,
                                     CASE WHEN c.relkind = 'r' THEN 8192 WHEN a.amname = 'btree' THEN 16384 ELSE 0 END), ', ')
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_am a ON a.oid = c.relam
             WHERE c.relkind IN ('r', 'i') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer')
               AND n.nspname NOT LIKE 'pg\\_%' AND c.relpersistence <> 't'""";

    /** Puts rows and sequences back; its result is for {@link #restored}. */
    static final String RESTORE = "SELECT cerrojo_explorer.restore(?, ?)";

    private static final long LARGE = -1;

    private static final String SIZE = """
            SELECT CASE WHEN bool_and(pg_relation_size(oid) <= clear_up_to) THEN sum(pg_relation_size(oid)) ELSE %d END
              FROM (VALUES %s) AS relation(oid, clear_up_to)""";

    private final PreparedStatement restore;
    private final String sizes;
    private final PreparedStatement size;
    private @Nullable Long definitions;
    private long freshSize;
    private boolean fresh;

    private Baseline(Connection connection) throws SQLException {
        this.restore = connection.prepareStatement(RESTORE);
        this.sizes = SIZE.formatted(LARGE, relations(connection));
        this.size = connection.prepareStatement(sizes);
        restore(true);
    }

    /**
     * A table.
     *
     * @param columns those that are not generated, in SQL; may be empty
     * @param partitioned whether its rows are those of others
     * @param off turns the triggers and rules off that act in a replica
     * @param on turns them on again, each as it was
     */
    private record Table(String name, String columns, boolean partitioned, String off, String on) {}

    /**
     * Keeps the present state of the database as the one to come back to.
     *
     * @param gatedSessions how many sessions are to be stopped at gates inside of their statements; 0 for no gates
     */
    static Baseline keep(Connection connection, int gatedSessions) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("CREATE SCHEMA cerrojo_explorer");
            if (gatedSessions > 0) {
                Gatekeeper.install(connection, gatedSessions);
            }
            List<Table> tables = tables(sql);
            // rows that the role may not see would be lost: an error is better
            sql.execute("SET row_security = off");
            for (int i = 0; i < tables.size(); i++) {
                sql.execute("CREATE TABLE cerrojo_explorer.t" + i + " AS SELECT "
                        + tables.get(i).columns() + " FROM ONLY "
                        + tables.get(i).name());
            }
            sql.execute("RESET row_security");
            List<String> sequences = sequences(sql);
            String definitions = countsDdl(sql) ? "SELECT last_value FROM cerrojo_explorer.ddl" : CATALOGS;
            sql.execute(restoreFunction(tables, sequences, definitions));
        }
        return new Baseline(connection);
    }

    /**
     * Puts rows and sequences back.
     *
     * @param anew whether also what did not change is written again, into empty tables
     * @return whether that is enough; not when DDL was done since
     */
    boolean restore(boolean anew) throws SQLException {
        ask(restore, anew);
        try (ResultSet row = restore.executeQuery()) {
            return restored(anew, row);
        }
    }

    /** Binds the parameters of {@link #RESTORE}. */
    void ask(PreparedStatement statement, boolean anew) throws SQLException {
        statement.setBoolean(1, anew);
        statement.setObject(2, definitions, Types.BIGINT);
    }

    /** Reads what {@link #RESTORE} returned: whether rows and sequences are as they were, and nothing else was changed. */
    boolean restored(boolean anew, ResultSet row) throws SQLException {
        row.next();
        return restored(anew, row.getLong(1));
    }

    private boolean restored(boolean anew, long defined) throws SQLException {
        if (definitions == null) {
            definitions = defined;
        }
        fresh = anew;
        if (anew) {
            freshSize = sizeNow();
        }
        return definitions == defined;
    }

    /** {@return SQL that does what {@link #RESTORE} does, and writes all anew when {@link #pages} are not as fresh} */
    String restoreByPages() {
        return "SELECT cerrojo_explorer.restore(? OR size <> ? OR size = " + LARGE + ", ?), size FROM (" + sizes
                + ") AS relations(size)";
    }

    /** Binds the parameters of {@link #restoreByPages}. */
    void askByPages(PreparedStatement statement, boolean anew) throws SQLException {
        statement.setBoolean(1, anew);
        statement.setLong(2, freshSize);
        statement.setObject(3, definitions, Types.BIGINT);
    }

    /** What a run did to pages, and whether rows and sequences are as they were, and nothing else was changed. */
    record Restored(Pages pages, boolean enough) {}

    /** Reads what {@link #restoreByPages} returned. */
    Restored restoredByPages(boolean anew, ResultSet row) throws SQLException {
        row.next();
        Pages pages = pages(row.getLong(2));
        return new Restored(pages, restored(anew || pages != Pages.AS_FRESH, row.getLong(1)));
    }

    /**
     * Tells what a run did to the pages of tables and indexes. At SERIALIZABLE conflicts are found by page too, so each run must
     * begin as if tables had just been written.
     */
    Pages pages() throws SQLException {
        return pages(sizeNow());
    }

    private Pages pages(long sizeNow) {
        if (freshSize != LARGE && sizeNow == freshSize) {
            return Pages.AS_FRESH;
        }
        return fresh ? Pages.GROWN : Pages.MISLEADING;
    }

    private long sizeNow() throws SQLException {
        try (ResultSet row = size.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private static String relations(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(RELATIONS)) {
            row.next();
            return Objects.requireNonNullElse(row.getString(1), "(0::oid, 0)");
        }
    }

    private static List<Table> tables(Statement sql) throws SQLException {
        List<Table> tables = new ArrayList<>();
        try (ResultSet rows = sql.executeQuery(TABLES)) {
            while (rows.next()) {
                tables.add(new Table(
                        rows.getString(1),
                        rows.getString(2),
                        rows.getBoolean(3),
                        rows.getString(4),
                        rows.getString(5)));
            }
        }
        return tables;
    }

    private static List<String> sequences(Statement sql) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = sql.executeQuery(SEQUENCES)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        List<String> restored = new ArrayList<>();
        for (String name : names) {
            try (ResultSet row = sql.executeQuery("SELECT last_value, is_called FROM " + name)) {
                row.next();
                restored.add("PERFORM setval('" + name.replace("'", "''") + "', " + row.getLong(1) + ", "
                        + row.getBoolean(2) + ");");
            }
        }
        return restored;
    }

    private static String restoreFunction(List<Table> tables, List<String> sequences, String definitions) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < tables.size(); i++) {
            body.append(restore(tables.get(i), i));
        }
        sequences.forEach(line -> body.append("  ").append(line).append('\n'));
        String truncated = tables.isEmpty()
                ? ""
                : "    TRUNCATE "
                        + String.join(", ", tables.stream().map(Table::name).toList()) + ";\n";
        return """
                CREATE FUNCTION cerrojo_explorer.restore(anew boolean, expected bigint) RETURNS bigint LANGUAGE plpgsql
                SET session_replication_role = replica SET client_min_messages = warning SET row_security = off
                AS $cerrojo$
                #variable_conflict use_column
                DECLARE
                  mark text := pg_current_xact_id()::xid::text;
                  defined bigint := (%s) # (%s);
                BEGIN
                  IF defined <> expected THEN
                    RETURN defined;
                  END IF;
                  IF anew THEN
                %s  END IF;
                %s  RETURN defined;
                END $cerrojo$
                """.formatted(
                definitions, LARGE_OBJECTS, lines(tables, Table::off) + truncated + lines(tables, Table::on), body);
    }

    private static String lines(List<Table> tables, Function<Table, String> statements) {
        StringBuilder text = new StringBuilder();
        tables.stream()
                .map(statements)
                .filter(line -> !line.isEmpty())
                .forEach(line -> text.append("    ").append(line).append('\n'));
        return text.toString();
    }

    /** A row that this function wrote has the {@code xmin} of that run; any other row, or number of rows, is a change. */
    private static String restore(Table table, int i) {
        if (table.partitioned()) {
            return "";
        }
        String copy = "cerrojo_explorer.t" + i;
        String setting = "cerrojo_explorer.mark" + i;
        return """
                  IF anew OR EXISTS (SELECT FROM ONLY %1$s
                                      WHERE xmin::text IS DISTINCT FROM current_setting('%3$s', true))
                     OR (SELECT count(*) FROM ONLY %1$s) <> (SELECT count(*) FROM %2$s) THEN
                %5$s    DELETE FROM ONLY %1$s;
                    INSERT INTO %1$s %7$s OVERRIDING SYSTEM VALUE SELECT %4$s FROM %2$s;
                %6$s    PERFORM set_config('%3$s', mark, false);
                  END IF;
                """.formatted(
                        table.name(),
                        copy,
                        setting,
                        table.columns(),
                        lines(List.of(table), Table::off),
                        lines(List.of(table), Table::on),
                        table.columns().isEmpty() ? "" : "(" + table.columns() + ")");
    }

    /** Makes event triggers that count, when the role may: only a superuser does. */
    private static boolean countsDdl(Statement sql) throws SQLException {
        try {
            sql.execute("""
                    CREATE SEQUENCE cerrojo_explorer.ddl MINVALUE 0 START 0;
                    CREATE FUNCTION cerrojo_explorer.count_ddl() RETURNS event_trigger LANGUAGE plpgsql AS $cerrojo$
                    BEGIN
                      IF current_setting('session_replication_role') <> 'replica' THEN
                        PERFORM nextval('cerrojo_explorer.ddl');
                      END IF;
                    END $cerrojo$;
                    CREATE EVENT TRIGGER cerrojo_explorer_ddl ON ddl_command_end
                      EXECUTE FUNCTION cerrojo_explorer.count_ddl();
                    CREATE EVENT TRIGGER cerrojo_explorer_drop ON sql_drop
                      EXECUTE FUNCTION cerrojo_explorer.count_ddl();
                    GRANT USAGE ON SCHEMA cerrojo_explorer TO PUBLIC;
                    GRANT USAGE ON SEQUENCE cerrojo_explorer.ddl TO PUBLIC;
                    """);
            return true;
        } catch (SQLException e) {
            if (!Privileges.areInsufficient(e)) {
                throw e;
            }
            return false;
        }
    }
}
