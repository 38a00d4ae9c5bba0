package dev.cerrojo.version;

import dev.cerrojo.internal.BorrowedConnection;
import dev.cerrojo.internal.ExclusiveLocks;
import dev.cerrojo.internal.Execution;
import dev.cerrojo.internal.InstallationLock;
import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Installation.Outcome;
import dev.cerrojo.schema.TablesBusyException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Installs, verifies and drops version triggers in a database. Safe for use by several threads and processes.
 *
 * <pre>{@code
 * VersionTriggers triggers = VersionTriggers.over(dataSource);
 * VersionTrigger trigger = VersionTrigger.of(articles, VersionTriggerOptions.defaults());
 * triggers.install(trigger, Installation.defaults());
 * List<Finding> drift = triggers.verify(trigger);
 * }</pre>
 */
public final class VersionTriggers {
    private static final String SEARCH_PATH = "pg_catalog, pg_temp";
    private static final Set<String> NOT_POSSIBLE = Set.of("0A000", "42P01", "42809", "55000");

    private final DataSource dataSource;

    private VersionTriggers(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** {@return triggers in the database that the source leads to} */
    public static VersionTriggers over(DataSource dataSource) {
        return new VersionTriggers(dataSource);
    }

    /**
     * Installs the triggers of a table in one transaction. From its first lock until it ends, writers of the table wait and readers do not;
     * when others are replaced, readers wait too, and there is no moment without any.
     *
     * @return what it did: nothing when the same triggers are there already
     * @throws VersionTriggersDifferException when some that differ are there and {@link Installation#replace()} is not asked
     * @throws VersionsNotPossibleException when the table cannot have versions, or Cerrojo's tables are missing
     * @throws TablesBusyException when a lock was not free within {@link Installation#lockTimeout()}
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public Outcome install(VersionTrigger trigger, Installation how) throws SQLException {
        return changing(trigger, how, connection -> install(connection, trigger, how));
    }

    private static Outcome install(Connection connection, VersionTrigger trigger, Installation how)
            throws SQLException {
        TriggerDrift drift = new TriggerDrift(connection, trigger);
        List<Finding> differences = drift.findings();
        if (differences.isEmpty()) {
            return Outcome.ALREADY_INSTALLED;
        }
        boolean absent = differences.get(0).kind() == Kind.NOT_INSTALLED;
        if (!absent && !how.replace()) {
            throw new VersionTriggersDifferException(trigger.qualified().sql(), differences);
        }
        if (!absent) {
            drop(connection, trigger, how);
        }
        Execution.run(connection, trigger.installStatements());
        return absent ? Outcome.INSTALLED : Outcome.REPLACED;
    }

    private static void drop(Connection connection, VersionTrigger trigger, Installation how) throws SQLException {
        new ExclusiveLocks(connection, how.lockTimeout()).take(new TriggerDrift(connection, trigger).tables());
        Execution.run(connection, trigger.dropStatements());
    }

    /**
     * Drops the triggers of a table in one transaction. What they recorded stays.
     *
     * @throws TablesBusyException when a lock was not free within {@link Installation#lockTimeout()}
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public void drop(VersionTrigger trigger, Installation how) throws SQLException {
        changing(trigger, how, connection -> {
            drop(connection, trigger, how);
            return Outcome.INSTALLED;
        });
    }

    /**
     * Compares triggers with what is in the database, in one read-only transaction with one snapshot; takes no lock that writers wait for.
     *
     * @return in what they differ; empty when all is well
     * @throws SQLException when the database cannot be asked
     */
    public List<Finding> verify(VersionTrigger trigger) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(connection, Connection.TRANSACTION_REPEATABLE_READ, true, () -> {
                Execution.set(connection, "search_path", SEARCH_PATH);
                return new TriggerDrift(connection, trigger).findings();
            });
        }
    }

    private Outcome changing(VersionTrigger trigger, Installation how, Change change) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(connection, Connection.TRANSACTION_READ_COMMITTED, false, () -> {
                Execution.set(connection, "lock_timeout", how.lockTimeout().toMillis() + "ms");
                Execution.set(connection, "search_path", SEARCH_PATH);
                Execution.run(
                        connection,
                        List.of(InstallationLock.sql(trigger.options().ownSchema())));
                Outcome outcome = change.run(connection);
                if (how.dryRun()) {
                    connection.rollback();
                }
                return outcome;
            });
        } catch (SQLException failure) {
            throw explained(trigger, how, failure);
        }
    }

    private static SQLException explained(VersionTrigger trigger, Installation how, SQLException failure) {
        String state = SqlFailures.sqlStates(failure).stream().findFirst().orElse("");
        if (state.equals("55P03")) {
            throw new TablesBusyException("versions of " + trigger.qualified().sql(), how.lockTimeout(), failure);
        } else if (NOT_POSSIBLE.contains(state)) {
            throw new VersionsNotPossibleException(String.valueOf(failure.getMessage()), failure);
        }
        return failure;
    }

    private interface Change {
        Outcome run(Connection connection) throws SQLException;
    }
}
