package dev.cerrojo.explorer.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;

/**
 * Stops sessions inside their statements and COMMITs. Every table has triggers before each statement, before each row and,
 * where any check can be deferred, among the deferred ones; each takes and drops a shared advisory lock that this connection holds exclusively. A session uses
 * its two keys in turn, told by a sequence, which no rollback sets back: while it passes one gate, the next is still shut.
 *
 * <p>A BEFORE ROW trigger makes PostgreSQL lock the row before it fires, so gates change the order in which rows are locked:
 * what is found with gates is one of the orders that can happen, but not each order that can happen is found.
 */
final class Gatekeeper implements AutoCloseable {
    /** The first key of all gates: no user's, one hopes. */
    private static final int CLASS = 1_667_461_991;

    private static final String FUNCTION = """
            CREATE FUNCTION cerrojo_explorer.gate() RETURNS trigger LANGUAGE plpgsql AS $cerrojo$
            DECLARE
              session text := current_setting('cerrojo_explorer.session', true);
              key int;
            BEGIN
              IF session <> '' THEN
                key := session::int * 2 + nextval('cerrojo_explorer.gate_' || session) %% 2;
                PERFORM pg_advisory_lock_shared(%1$d, key);
                PERFORM pg_advisory_unlock_shared(%1$d, key);
              END IF;
              IF TG_LEVEL = 'STATEMENT' OR TG_WHEN = 'AFTER' THEN
                RETURN NULL;
              END IF;
              IF TG_OP = 'DELETE' THEN
                RETURN OLD;
              END IF;
              RETURN NEW;
            END $cerrojo$""".formatted(CLASS);

    private static final String TABLES = """
            SELECT c.oid::regclass::text
              FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
             WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer')
               AND n.nspname NOT LIKE 'pg\\_%'
             ORDER BY 1""";

    private final Connection connection;
    private final int backend;
    private final PreparedStatement lock;
    private final PreparedStatement unlock;
    private final PreparedStatement shutAndOpen;

    /** For each session how many gates it has passed in this run. */
    private final int[] passed;

    private Gatekeeper(Connection connection, int sessions) throws SQLException {
        this.connection = connection;
        this.passed = new int[sessions];
        this.backend = connection.unwrap(PGConnection.class).getBackendPID();
        this.lock = connection.prepareStatement("SELECT pg_advisory_lock(" + CLASS + ", ?)");
        this.unlock = connection.prepareStatement("SELECT pg_advisory_unlock(" + CLASS + ", ?)");
        // of a row's values, the first is made first
        this.shutAndOpen = connection.prepareStatement(
                "SELECT pg_advisory_lock(" + CLASS + ", ?), pg_advisory_unlock(" + CLASS + ", ?)");
        for (int key = 0; key < 2 * sessions; key++) {
            call(lock, key);
        }
    }

    /** Puts the gates of so many sessions into a database; the schema {@code cerrojo_explorer} must be there. */
    static void install(Connection connection, int sessions) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute(FUNCTION);
            for (int session = 0; session < sessions; session++) {
                sql.execute("CREATE SEQUENCE cerrojo_explorer.gate_" + session + " MINVALUE 0 START 0");
            }
            // without deferred checks nothing happens in a COMMIT between one row and the next
            boolean deferred = mayDefer(sql);
            for (String table : tables(sql)) {
                sql.execute(triggers(table) + (deferred ? deferredTrigger(table) : ""));
            }
        }
    }

    private static boolean mayDefer(Statement sql) throws SQLException {
        try (ResultSet row = sql.executeQuery("SELECT EXISTS (SELECT FROM pg_trigger WHERE tgdeferrable)"
                + " OR EXISTS (SELECT FROM pg_constraint WHERE condeferrable)")) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static List<String> tables(Statement sql) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = sql.executeQuery(TABLES)) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    /** Triggers of one event fire in the order of their names: these come after all others. */
    private static String triggers(String table) {
        return """
                CREATE TRIGGER "~~cerrojo_gate_statement" BEFORE INSERT OR UPDATE OR DELETE ON %1$s
                  FOR EACH STATEMENT EXECUTE FUNCTION cerrojo_explorer.gate();
                CREATE TRIGGER "~~cerrojo_gate_row" BEFORE INSERT OR UPDATE OR DELETE ON %1$s
                  FOR EACH ROW EXECUTE FUNCTION cerrojo_explorer.gate();
                """.formatted(table);
    }

    private static String deferredTrigger(String table) {
        return """
                CREATE CONSTRAINT TRIGGER "~~cerrojo_gate_deferred" AFTER INSERT OR UPDATE OR DELETE ON %1$s
                  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cerrojo_explorer.gate();
                """.formatted(table);
    }

    static Gatekeeper connect(String url, int sessions) throws SQLException {
        return new Gatekeeper(DriverManager.getConnection(url), sessions);
    }

    int backend() {
        return backend;
    }

    /** Lets a session pass the gate at which it stands. The one it passed before is shut again first. */
    void open(int session) throws SQLException {
        int gate = passed[session]++;
        if (gate == 0) {
            call(unlock, key(session, 0));
        } else {
            shutAndOpen.setInt(1, key(session, gate - 1));
            shutAndOpen.setInt(2, key(session, gate));
            shutAndOpen.execute();
        }
    }

    /** Shuts all gates for the next run; no session is in a statement. */
    void restart() throws SQLException {
        for (int session = 0; session < passed.length; session++) {
            if (passed[session] > 0) {
                call(lock, key(session, passed[session] - 1));
                passed[session] = 0;
            }
        }
    }

    private static int key(int session, int gate) {
        return session * 2 + gate % 2;
    }

    private static void call(PreparedStatement statement, int key) throws SQLException {
        statement.setInt(1, key);
        statement.execute();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
