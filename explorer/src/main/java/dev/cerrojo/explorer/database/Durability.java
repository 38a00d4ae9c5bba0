package dev.cerrojo.explorer.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** How a server keeps commits while it is measured: an embedded one as a server in use does, another one as it always does. */
public final class Durability implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final String SERVER = """
            SELECT current_setting('server_version'), current_setting('cerrojo.embedded', true) = 'on',
                   current_setting('fsync')""";

    private final Connection connection;
    private final Answer server;
    private final boolean ours;
    private final boolean changed;

    private record Answer(String version, boolean embedded, boolean durable) {}

    private Durability(Connection connection, Answer server, boolean ours, boolean changed) {
        this.connection = connection;
        this.server = server;
        this.ours = ours;
        this.changed = changed;
    }

    /** {@return a server that is measured; only an embedded one that is ours alone is changed} */
    static Durability on(String url, boolean ours) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try {
            Answer before = ask(connection);
            boolean changes = ours && before.embedded() && !before.durable();
            if (changes) {
                alter(connection, "SET fsync = on", "SET full_page_writes = on");
                await(connection);
            }
            return new Durability(connection, ask(connection), ours, changes);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static Answer ask(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(SERVER)) {
            row.next();
            return new Answer(row.getString(1), row.getBoolean(2), "on".equals(row.getString(3)));
        }
    }

    private static void alter(Connection connection, String... settings) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            for (String setting : settings) {
                sql.execute("ALTER SYSTEM " + setting);
            }
            sql.execute("SELECT pg_reload_conf()");
        }
    }

    /** The postmaster tells its children; each takes it up before its next statement. */
    private static void await(Connection connection) throws SQLException {
        long begun = System.nanoTime();
        while (!ask(connection).durable()) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new SQLException("the embedded server did not turn fsync on within " + PATIENCE);
            }
            Thread.onSpinWait();
        }
    }

    /** {@return the server and its version, for people, and that its commits are not durable when they are not} */
    public String words() {
        return (ours ? "the embedded server" : "your server") + " (PostgreSQL " + server.version() + ")"
                + (server.durable() ? "" : ", whose fsync is off: commits cost less there than they will");
    }

    /** Lets an embedded server save time again. */
    @Override
    public void close() throws SQLException {
        try (connection) {
            if (changed) {
                alter(connection, "RESET fsync", "RESET full_page_writes");
            }
        }
    }
}
