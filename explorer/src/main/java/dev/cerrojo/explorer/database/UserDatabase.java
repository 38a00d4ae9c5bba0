package dev.cerrojo.explorer.database;

import dev.cerrojo.CerrojoException;
import dev.cerrojo.explorer.schedule.LockMonitor;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Violation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A database of the user's, in which sessions of the user's own code run: who waits in it, its start state, and what its rows
 * say at the end. One connection, which is no session's, asks and changes it. Used by one thread at a time.
 *
 * <p>Nothing is changed in it but by {@link #keepStartState()} and {@link #restore}, and these only in a database that was
 * named as disposable, or that Cerrojo made itself.
 */
public final class UserDatabase implements AutoCloseable {
    /** Set on an {@linkplain dev.cerrojo.embedded.EmbeddedPostgres embedded server}, whose databases are all disposable. */
    private static final String CIRCUMSTANCES = """
            SELECT current_database(), current_setting('server_version'),
                   current_setting('cerrojo.embedded', true) = 'on' OR current_database() LIKE 'cerrojo\\_%'""";

    private static final String DEFERRED = """
            SELECT EXISTS (SELECT FROM pg_trigger WHERE tginitdeferred),
                   EXISTS (SELECT FROM pg_trigger WHERE tgdeferrable)""";

    /** The event triggers first: they would fire when their schema goes. */
    private static final String DROP = """
            DROP EVENT TRIGGER IF EXISTS cerrojo_explorer_ddl;
            DROP EVENT TRIGGER IF EXISTS cerrojo_explorer_drop;
            DROP SCHEMA IF EXISTS cerrojo_explorer CASCADE""";

    /** "cerrojo" in ASCII: of two explorations in one database, the second is refused. */
    private static final long LOCK = 0x63657272_6f6a6fL;

    private final Connection connection;
    private final boolean ownAutoCommit;
    private final PostgresLockMonitor monitor;
    private final String name;
    private final String version;
    private final boolean ours;
    private final boolean controlsVictims;
    private final boolean deferred;
    private final boolean deferrable;
    private final HiddenSql hidden;
    private boolean kept;
    private @Nullable Baseline baseline;

    private UserDatabase(Connection connection) throws SQLException {
        this.connection = connection;
        this.ownAutoCommit = connection.getAutoCommit();
        connection.setAutoCommit(true);
        this.monitor = new PostgresLockMonitor(connection);
        try (Statement sql = connection.createStatement()) {
            try (ResultSet row = sql.executeQuery(CIRCUMSTANCES)) {
                row.next();
                this.name = row.getString(1);
                this.version = row.getString(2);
                this.ours = row.getBoolean(3);
            }
            try (ResultSet row = sql.executeQuery(DEFERRED)) {
                row.next();
                this.deferred = row.getBoolean(1);
                this.deferrable = row.getBoolean(2);
            }
            this.hidden = HiddenSql.of(sql);
        }
        this.controlsVictims = Privileges.maySetDeadlockTimeout(connection);
    }

    /**
     * Takes a connection as the one that is no session's.
     *
     * @param connection closed with this; until then nobody else may use it
     * @return the database
     * @throws CerrojoException if another exploration runs in it
     * @throws SQLException if it cannot be asked
     */
    public static UserDatabase over(Connection connection) throws SQLException {
        try {
            UserDatabase database = new UserDatabase(connection);
            database.lock();
            return database;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void lock() throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement("SELECT pg_try_advisory_lock(?)")) {
            sql.setLong(1, LOCK);
            try (ResultSet row = sql.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    throw new CerrojoException("another exploration runs in the database \"" + name
                            + "\": run them one after another, or give each a database of its own");
                }
            }
        }
    }

    /** {@return its name} */
    public String name() {
        return name;
    }

    /** {@return the server's version: {@code 17.11}} */
    public String version() {
        return version;
    }

    /** {@return who waits for whom} */
    public LockMonitor monitor() {
        return monitor;
    }

    /** {@return whether the victims of deadlocks can be chosen: the role may SET deadlock_timeout} */
    public boolean controlsVictims() {
        return controlsVictims;
    }

    /**
     * Tells whether the lock table does not tell all of what a statement touches, as far as its words show.
     *
     * @param statement a statement of a session
     * @return true when in doubt
     */
    public static boolean hidesLocks(String statement) {
        return Unseen.in("", statement).anything();
    }

    /**
     * Tells whether the lock table did not tell all that a run touched, by defaults, triggers, views or functions.
     *
     * @param trace the run
     * @return true when in doubt
     */
    public boolean hidesLocks(Trace trace) {
        return hidden.in(trace).anything();
    }

    /**
     * Tells whether a statement can tell when its transaction began, by {@code now()}, as far as its words show.
     *
     * @param statement a statement of a session
     * @return true when in doubt
     */
    public static boolean tellsBeginning(String statement) {
        return Unseen.in("", statement).beginnings();
    }

    /**
     * Tells whether a run can tell when its transactions began, by defaults, triggers, views or functions.
     *
     * @param trace the run
     * @return true when in doubt
     */
    public boolean tellsBeginning(Trace trace) {
        return hidden.in(trace).beginnings();
    }

    /**
     * Tells whether a COMMIT may run deferred constraints or triggers.
     *
     * @param setConstraints whether its transaction did SET CONSTRAINTS
     * @return false when none can
     */
    public boolean hasDeferredChecks(boolean setConstraints) {
        return deferred || (setConstraints && deferrable);
    }

    /**
     * Notes which session a backend works for now: a pool may hand any connection to any session.
     *
     * @param session the session
     * @param backend the backend's process id
     */
    public void owns(int session, int backend) {
        monitor.owns(session, backend);
    }

    /** Forgets for whom backends worked, before a run. */
    public void forgetOwners() {
        monitor.forgetOwners();
    }

    /**
     * Ends a backend whose client is gone, and waits until it is: then its transaction is undone and its locks are free. May be
     * called from a session's thread.
     *
     * @param backend the backend's process id
     */
    public void awaitEnd(int backend) {
        monitor.end(backend);
    }

    /**
     * Tells whether the rows of its tables may be put back as they were.
     *
     * @param named the names of databases that the user said are disposable
     * @return whether it is one of them, or was made by Cerrojo
     */
    public boolean isDisposable(Collection<String> named) {
        return ours || named.contains(name);
    }

    /**
     * Keeps the rows of all tables and the state of all sequences as what {@link #restore} comes back to, in a schema of its
     * own, {@code cerrojo_explorer}, which {@link #close()} drops. The role must own the tables and may set {@code
     * session_replication_role}. Not kept: materialized views, large objects, and the definitions of anything.
     *
     * @throws SQLException if the role may not, or the server cannot do it
     */
    public void keepStartState() throws SQLException {
        try (Statement sql = connection.createStatement()) {
            // one that a killed program left
            sql.execute("SET client_min_messages = warning");
            sql.execute(DROP);
        }
        kept = true;
        baseline = Baseline.keep(connection, 0);
    }

    /**
     * Puts rows and sequences back.
     *
     * @param anew whether also what did not change is written again, into empty tables
     * @throws CerrojoException if DDL was done since, which it cannot undo
     * @throws SQLException if the server cannot do it
     */
    public void restore(boolean anew) throws SQLException {
        if (baseline == null) {
            throw new IllegalStateException("no start state was kept");
        }
        if (!baseline.restore(anew)) {
            throw new CerrojoException(
                    "a session did DDL (such as CREATE TABLE), or changed a large object, in the database \"" + name
                            + "\", which putting back its rows does not undo: do it before, or give a reset of your own");
        }
    }

    /**
     * Asks for violating rows.
     *
     * @param invariant what the query is about
     * @param query returns the violating rows
     * @return the rows; nothing when there is none
     * @throws SQLException if PostgreSQL does not take the query
     */
    public Optional<Violation> violation(String invariant, String query) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.setEscapeProcessing(false);
            try (ResultSet rows = sql.executeQuery(query)) {
                return rows.next() ? Optional.of(Scratch.violation(invariant, rows)) : Optional.empty();
            }
        }
    }

    /**
     * Runs a query.
     *
     * @param query the query
     * @return for each row a text per column, null for SQL NULL
     * @throws SQLException if PostgreSQL does not take it
     */
    public List<List<@Nullable String>> rows(String query) throws SQLException {
        return Texts.of(connection, query);
    }

    /** Drops what {@link #keepStartState()} made, and closes the connection. */
    @Override
    public void close() throws SQLException {
        try (Statement sql = connection.createStatement()) {
            if (kept) {
                sql.execute(DROP);
                sql.execute("RESET client_min_messages");
            }
            sql.execute("SELECT pg_advisory_unlock(" + LOCK + ")");
            connection.setAutoCommit(ownAutoCommit);
        } finally {
            connection.close();
        }
    }
}
