package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.LockMonitor;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An empty database of our own, for sessions that are not a scenario's: whoever makes it fills it, connects to it, and says
 * which backend is of which session. Used by one thread at a time, but for the monitor.
 *
 * <pre>{@code
 * try (BareScratch database = BareScratch.create(server)) {
 *     // connect to database.url(""), make tables
 *     database.keep(tables, false);
 *     // run sessions
 *     database.readAndRestore(false);
 * }
 * }</pre>
 */
public final class BareScratch implements AutoCloseable {
    private static final Pattern DEADLOCK_TIMEOUT = Pattern.compile("\\bdeadlock_timeout\\b", Pattern.CASE_INSENSITIVE);

    private final Server server;
    private final String database;
    private final boolean controlsVictims;
    private final Connection connection;
    private final PostgresLockMonitor monitor;
    private @Nullable Baseline baseline;
    private @Nullable ReadAndRestore readAndRestore;

    private BareScratch(Server server, String database) throws SQLException {
        this.server = server;
        this.database = database;
        this.controlsVictims = server.maySetDeadlockTimeout();
        this.connection = DriverManager.getConnection(
                server.url(database, Scratch.PARAMETERS + "&options=" + encoded(Scratch.OPTIONS)));
        this.monitor = new PostgresLockMonitor(connection);
    }

    /**
     * Makes one.
     *
     * @param server where
     * @return the database; closing it drops it
     * @throws SQLException if the server cannot do it
     */
    public static BareScratch create(Server server) throws SQLException {
        String database = server.create();
        try {
            return new BareScratch(server, database);
        } catch (SQLException | RuntimeException e) {
            server.drop(database);
            throw e;
        }
    }

    /**
     * Tells where to connect to. Such a connection sends what it is given as one simple query.
     *
     * @param options more of what the server's command line takes, such as {@code -c lock_timeout=0}; may be empty
     * @return a JDBC URL
     */
    public String url(String options) {
        return server.url(
                database,
                Scratch.PARAMETERS + "&preferQueryMode=simple&options=" + encoded(Scratch.OPTIONS + " " + options));
    }

    private static String encoded(String options) {
        return options.strip().replace("\\", "%5C").replace(" ", "%20");
    }

    /** {@return whether sessions may set {@code deadlock_timeout}, by which the victim of a deadlock is chosen} */
    public boolean controlsVictims() {
        return controlsVictims;
    }

    /** {@return who tells which sessions wait for which; safe to use from any thread that waits its turn} */
    public LockMonitor monitor() {
        return monitor;
    }

    /**
     * Says whose a backend is.
     *
     * @param session the session, from 0
     * @param backend its process id
     */
    public void owns(int session, int backend) {
        monitor.owns(session, backend);
    }

    /**
     * Keeps the present rows and sequences as what {@link #restore} comes back to. Only once.
     *
     * @throws SQLException if the server cannot do it
     */
    public void keep() throws SQLException {
        baseline = Baseline.keep(connection, 0);
    }

    /**
     * The same, for {@link #readAndRestore} too.
     *
     * @param tables the tables, as they are now
     * @param samePages whether each run must start from the same pages: then all is written anew after a run that left others
     * @throws SQLException if the server cannot do it
     */
    public void keep(ComparedTables tables, boolean samePages) throws SQLException {
        keep();
        readAndRestore = new ReadAndRestore(connection, kept(baseline), tables, samePages);
    }

    /**
     * Puts rows and sequences back.
     *
     * @param anew whether also what did not change is written again, into empty tables
     * @return whether that is enough; not when somebody did DDL since {@link #keep}
     * @throws SQLException if the server cannot do it
     */
    public boolean restore(boolean anew) throws SQLException {
        return kept(baseline).restore(anew);
    }

    /**
     * Reads the rows of all tables, and puts rows and sequences back, in one round trip.
     *
     * @param anew whether also what did not change is written again, into empty tables
     * @return what was left; nothing when the tables are others than those that were kept
     * @throws SQLException if the server cannot do it
     */
    public Optional<Left> readAndRestore(boolean anew) throws SQLException {
        try {
            return Optional.of(kept(readAndRestore).run(anew));
        } catch (SQLException e) {
            if (Scratch.isAboutData(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static <T> T kept(@Nullable T known) {
        if (known == null) {
            throw new IllegalStateException("nothing was kept");
        }
        return known;
    }

    /**
     * Asks whether a COMMIT may run deferred checks.
     *
     * @param sql all that sessions may run
     * @return whether there are constraints or triggers that are deferred, or that the SQL may defer
     * @throws SQLException if the server cannot tell
     */
    public boolean hasDeferredChecks(String sql) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(Scratch.HAS_DEFERRED)) {
            query.setBoolean(1, Arena.SETS_CONSTRAINTS.matcher(sql).find());
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    /**
     * Tells whether what sessions touch may be missing in PostgreSQL's lock table, so that every schedule must be run.
     *
     * @param setup what makes the start state, functions included
     * @param sessions all that sessions run
     * @return true when in doubt
     */
    public static boolean touchesUnseen(String setup, String sessions) {
        return Unseen.anything(setup, DEADLOCK_TIMEOUT.matcher(sessions).replaceAll(""));
    }

    /**
     * Tells whether sessions may do what the end of a transaction does not undo: settings, session locks, temporary tables.
     *
     * @param sql all that sessions may run, functions included
     * @return true when in doubt
     */
    public static boolean outlivesTransaction(String sql) {
        return Arena.OUTLIVES_TRANSACTION.matcher(sql).find();
    }

    /** Drops the database; connections that are still open are ended. */
    @Override
    public void close() throws SQLException {
        connection.close();
        server.drop(database);
    }
}
