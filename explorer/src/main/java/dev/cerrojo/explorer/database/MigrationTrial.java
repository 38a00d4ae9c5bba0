package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.guard.Guard;
import dev.cerrojo.guard.Guards;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs a migration and its rollback in a fresh database that has a scenario's start state, as Flyway runs them: each in
 * one transaction at READ COMMITTED.
 */
public final class MigrationTrial {
    /** All that the schema is made of; not what PostgreSQL only remembers, such as that a table once had a trigger. */
    private static final String CATALOGUE = """
            WITH mine AS (
              SELECT oid FROM pg_namespace
              WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
            )
            SELECT concat_ws(' ', 'schema', nspname, pg_get_userbyid(nspowner), nspacl, obj_description(oid, 'pg_namespace'))
              FROM pg_namespace WHERE oid IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'extension', extname, extversion, extnamespace::regnamespace, obj_description(oid, 'pg_extension'))
              FROM pg_extension
            UNION ALL
            SELECT concat_ws(' ', 'relation', oid::regclass, relkind, relpersistence, relreplident, relispartition,
                relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner), relacl, reloptions,
                pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid), obj_description(oid, 'pg_class'))
              FROM pg_class WHERE relnamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'view', oid::regclass, pg_get_viewdef(oid))
              FROM pg_class WHERE relkind IN ('v', 'm') AND relnamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'column', a.attrelid::regclass, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
                a.attnotnull, a.attidentity, a.attgenerated, a.attacl, pg_get_expr(d.adbin, d.adrelid),
                col_description(a.attrelid, a.attnum))
              FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
              LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
              WHERE a.attnum > 0 AND c.relnamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisready, i.indisreplident)
              FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
              WHERE c.relnamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'constraint', conrelid::regclass, contypid::regtype, conname, convalidated,
                pg_get_constraintdef(oid), obj_description(oid, 'pg_constraint'))
              FROM pg_constraint WHERE connamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'trigger', tgenabled, pg_get_triggerdef(t.oid), obj_description(t.oid, 'pg_trigger'))
              FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
              WHERE c.relnamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'function', oid::regprocedure, prokind, pg_get_userbyid(proowner), proacl,
                CASE WHEN prokind IN ('f', 'p') THEN pg_get_functiondef(oid) END, obj_description(oid, 'pg_proc'))
              FROM pg_proc WHERE pronamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'type', oid::regtype, typtype, typacl)
              FROM pg_type WHERE typnamespace IN (SELECT oid FROM mine)
            UNION ALL
            SELECT concat_ws(' ', 'policy', polrelid::regclass, polname, pg_get_expr(polqual, polrelid))
              FROM pg_policy
            UNION ALL
            SELECT concat_ws(' ', 'rule', r.ev_class::regclass, r.rulename, pg_get_ruledef(r.oid))
              FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class
              WHERE c.relnamespace IN (SELECT oid FROM mine)
            ORDER BY 1""";

    private static final int SHOWN = 5;

    private final Connection connection;
    private final Guards guards;
    private final List<String> problems = new ArrayList<>();

    /** On a connection that the setup did not use: what it set for its session is not there when a migration runs. */
    private MigrationTrial(String url) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        this.guards = Guards.over(source);
    }

    /**
     * Runs the migration, the rollback, and the migration once more.
     *
     * @param server where
     * @param scenario its setup is run first
     * @param migration the script
     * @param rollback the script that undoes it
     * @param expected guards that must then be as they should be, with no row that violates
     * @return what went wrong, a sentence each; none when all of it worked, and the rollback left the schema exactly as it was
     * @throws ScenarioSqlException if PostgreSQL does not take the setup
     * @throws SQLException if the server cannot do it
     */
    public static List<String> of(
            Server server, Scenario scenario, String migration, String rollback, List<Guard> expected)
            throws SQLException {
        String database = server.create();
        try {
            String url = server.url(database, Scratch.PARAMETERS + "&preferQueryMode=simple");
            Scratch.runSetup(url, scenario);
            MigrationTrial trial = new MigrationTrial(url);
            try (Connection open = trial.connection) {
                trial.thereAndBack(migration, rollback, expected);
            }
            return trial.problems;
        } finally {
            server.drop(database);
        }
    }

    private void thereAndBack(String migration, String rollback, List<Guard> expected) throws SQLException {
        SortedSet<String> before = catalogue();
        if (!runs("the migration", migration)) {
            return;
        }
        verify(expected);
        if (runs("the rollback", rollback)) {
            compare(before, catalogue());
            runs("the migration, after its rollback,", migration);
        }
    }

    private boolean runs(String what, String script) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement sql = connection.createStatement()) {
            sql.setEscapeProcessing(false);
            sql.execute(script);
            connection.commit();
            return true;
        } catch (SQLException e) {
            problems.add("PostgreSQL does not take " + what + ": " + e.getMessage());
            connection.rollback();
            return false;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private void verify(List<Guard> expected) throws SQLException {
        for (Guard guard : expected) {
            guards.verify(guard)
                    .forEach(finding -> problems.add("after the migration, the guard of "
                            + guard.invariant().name() + " is not as it should be: " + finding));
        }
    }

    private void compare(SortedSet<String> before, SortedSet<String> after) {
        SortedSet<String> left = new TreeSet<>(after);
        left.removeAll(before);
        SortedSet<String> gone = new TreeSet<>(before);
        gone.removeAll(after);
        left.stream().limit(SHOWN).forEach(object -> problems.add("the rollback leaves behind: " + object));
        gone.stream().limit(SHOWN).forEach(object -> problems.add("the rollback takes away: " + object));
    }

    private SortedSet<String> catalogue() throws SQLException {
        SortedSet<String> objects = new TreeSet<>();
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(CATALOGUE)) {
            while (rows.next()) {
                objects.add(rows.getString(1));
            }
        }
        return objects;
    }
}
