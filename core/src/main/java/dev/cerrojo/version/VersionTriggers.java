package dev.cerrojo.version;

import dev.cerrojo.internal.BorrowedConnection;
import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.InstallationLock;
import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.version.VersionFinding.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Installs, verifies and drops version triggers in a database. Safe for use by several threads and processes.
 *
 * <pre>{@code
 * VersionTriggers triggers = VersionTriggers.over(dataSource);
 * triggers.install(VersionTrigger.of(articles, VersionTriggerOptions.defaults()));
 * List<VersionFinding> drift = triggers.verify(VersionTrigger.of(articles, VersionTriggerOptions.defaults()));
 * }</pre>
 */
public final class VersionTriggers {
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final Set<String> NOT_POSSIBLE = Set.of("0A000", "42P01", "55000");
    private static final Set<String> BUSY = Set.of("55P03", "40P01");

    private final DataSource dataSource;
    private final Duration lockTimeout;

    private VersionTriggers(DataSource dataSource, Duration lockTimeout) {
        this.dataSource = dataSource;
        this.lockTimeout = lockTimeout;
    }

    /** {@return triggers in the database that the source leads to; waits for locks are of at most 5 seconds} */
    public static VersionTriggers over(DataSource dataSource) {
        return new VersionTriggers(dataSource, Duration.ofSeconds(5));
    }

    /**
     * {@return these with other waits}
     *
     * @param limit how long each statement may wait for a lock; 1 ms to 24 hours
     */
    public VersionTriggers withLockTimeout(Duration limit) {
        if (limit.toMillis() < 1 || limit.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "lockTimeout must be PT0.001S to PT24H, but was %s: writers wait as long as the installation does"
                            .formatted(limit));
        }
        return new VersionTriggers(dataSource, limit);
    }

    /**
     * Installs the triggers of a table in one transaction. From its first lock until it ends, writers of the table wait; when others are
     * replaced, readers wait too, and there is no moment without any.
     *
     * @return whether anything was changed: not when the same triggers are there already
     * @throws VersionTriggersException when the table cannot have versions, Cerrojo's tables are missing, or a lock was not free in time
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public boolean install(VersionTrigger trigger) throws SQLException {
        return changing(trigger, connection -> install(connection, trigger));
    }

    private static boolean install(Connection connection, VersionTrigger trigger) throws SQLException {
        List<VersionFinding> findings = new TriggerDrift(connection, trigger).findings();
        if (findings.isEmpty()) {
            return false;
        }
        if (findings.get(0).kind() != Kind.NOT_INSTALLED) {
            drop(connection, trigger);
        }
        run(connection, trigger.installStatements());
        return true;
    }

    /** All tables at once and from the top, as whoever writes them takes them. */
    private static void drop(Connection connection, VersionTrigger trigger) throws SQLException {
        String table = trigger.qualified().sql();
        if (!CatalogRow.of(connection, "SELECT to_regclass(?) AS found", table)
                .get(0)
                .text("found")
                .isEmpty()) {
            run(connection, List.of("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE"));
        }
        run(connection, trigger.dropStatements());
    }

    /**
     * Drops the triggers of a table in one transaction. What they recorded stays.
     *
     * @throws VersionTriggersException when a lock was not free in time
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public void drop(VersionTrigger trigger) throws SQLException {
        changing(trigger, connection -> {
            drop(connection, trigger);
            return true;
        });
    }

    /**
     * Compares triggers with what is in the database, in one read-only transaction with one snapshot; takes no lock that writers wait for.
     *
     * @return in what they differ; empty when all is well
     */
    public List<VersionFinding> verify(VersionTrigger trigger) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(
                    connection,
                    Connection.TRANSACTION_REPEATABLE_READ,
                    true,
                    () -> new TriggerDrift(connection, trigger).findings());
        }
    }

    private boolean changing(VersionTrigger trigger, Change change) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(connection, Connection.TRANSACTION_READ_COMMITTED, false, () -> {
                limitWaits(connection);
                run(connection, List.of(InstallationLock.sql(trigger.options().ownSchema())));
                return change.run(connection);
            });
        } catch (SQLException failure) {
            throw explained(failure);
        }
    }

    private void limitWaits(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT set_config('lock_timeout', ?, true)")) {
            statement.setString(1, lockTimeout.toMillis() + "ms");
            statement.execute();
        }
    }

    private SQLException explained(SQLException failure) {
        String state = SqlFailures.sqlStates(failure).stream().findFirst().orElse("");
        if (BUSY.contains(state)) {
            throw new VersionTriggersException(
                    "the table was not free within %s, and nothing was changed: wait for the transactions that write it to end, or allow a longer lock timeout"
                            .formatted(lockTimeout),
                    failure);
        } else if (NOT_POSSIBLE.contains(state)) {
            throw new VersionTriggersException(String.valueOf(failure.getMessage()), failure);
        }
        return failure;
    }

    private static void run(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private interface Change {
        boolean run(Connection connection) throws SQLException;
    }
}
