package dev.cerrojo.ownership;

import dev.cerrojo.internal.BorrowedConnection;
import dev.cerrojo.internal.CatalogRow;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Installs, verifies and drops the triggers of ownerships in a database. Safe for use by several threads and processes.
 *
 * <pre>{@code
 * OwnershipTriggers triggers = OwnershipTriggers.over(dataSource);
 * OwnershipTrigger trigger = OwnershipTrigger.of(articles, OwnershipOptions.preserve());
 * triggers.install(trigger, Installation.defaults());
 * List<Finding> drift = triggers.verify(trigger);
 * }</pre>
 */
public final class OwnershipTriggers {
    private static final String SEARCH_PATH = "pg_catalog, pg_temp";

    /** Also a column without an order whose greater value is asked for. */
    private static final Set<String> NOT_POSSIBLE = Set.of("0A000", "42883");

    private final DataSource dataSource;

    private OwnershipTriggers(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** {@return triggers in the database that the source leads to} */
    public static OwnershipTriggers over(DataSource dataSource) {
        return new OwnershipTriggers(dataSource);
    }

    /**
     * Installs a trigger in one transaction. From its lock on the table ({@code SHARE ROW EXCLUSIVE}) until it ends, writers wait and
     * readers do not; when one is replaced, readers wait too, and there is no moment without one. Rows are not looked at.
     *
     * @return what it did: nothing when the same trigger is there already
     * @throws OwnershipDiffersException when one that differs is there and {@link Installation#replace()} is not asked
     * @throws OwnershipNotPossibleException when no trigger can keep the table, or it has a column that is nobody's
     * @throws TablesBusyException when a lock was not free within {@link Installation#lockTimeout()}
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public Outcome install(OwnershipTrigger trigger, Installation how) throws SQLException {
        return changing(trigger, how, connection -> install(connection, trigger, how));
    }

    private static Outcome install(Connection connection, OwnershipTrigger trigger, Installation how)
            throws SQLException {
        OwnershipInspection inspection = new OwnershipInspection(connection, trigger);
        List<Finding> differences = inspection.findings();
        if (differences.isEmpty()) {
            return Outcome.ALREADY_INSTALLED;
        }
        boolean absent = differences.get(0).kind() == Kind.NOT_INSTALLED;
        if (!absent && !how.replace()) {
            throw new OwnershipDiffersException(trigger.ownership().table(), differences);
        }
        if (!absent) {
            new ExclusiveLocks(connection, how.lockTimeout()).take(inspection.tables());
            Execution.run(connection, trigger.dropStatements());
        }
        Execution.run(connection, missing(connection, trigger));
        return absent ? Outcome.INSTALLED : Outcome.REPLACED;
    }

    /** For CREATE SCHEMA one must have the right to, also where IF NOT EXISTS makes none. */
    private static List<String> missing(Connection connection, OwnershipTrigger trigger) throws SQLException {
        List<String> statements = trigger.installStatements();
        boolean hasSchema = !CatalogRow.of(
                        connection,
                        "SELECT 1 AS found FROM pg_namespace WHERE nspname = ?",
                        trigger.options().ownSchema())
                .isEmpty();
        return hasSchema ? statements.subList(1, statements.size()) : statements;
    }

    /**
     * Drops a trigger with its function, in one transaction.
     *
     * @throws TablesBusyException when a lock was not free within {@link Installation#lockTimeout()}
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public void drop(OwnershipTrigger trigger, Installation how) throws SQLException {
        changing(trigger, how, connection -> {
            new ExclusiveLocks(connection, how.lockTimeout())
                    .take(new OwnershipInspection(connection, trigger).tables());
            Execution.run(connection, trigger.dropStatements());
            return Outcome.INSTALLED;
        });
    }

    /**
     * Compares a trigger with what is in the database, in one read-only transaction with one snapshot; takes no lock that writers wait
     * for.
     *
     * @return in what they differ, columns that came to the table since among it; empty when all is well
     * @throws SQLException when the database cannot be asked
     */
    public List<Finding> verify(OwnershipTrigger trigger) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(connection, Connection.TRANSACTION_REPEATABLE_READ, true, () -> {
                Execution.set(connection, "search_path", SEARCH_PATH);
                OwnershipInspection inspection = new OwnershipInspection(connection, trigger);
                List<Finding> findings = new ArrayList<>(inspection.findings());
                findings.addAll(inspection.unfit());
                return findings;
            });
        }
    }

    private Outcome changing(OwnershipTrigger trigger, Installation how, Change change) throws SQLException {
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

    private static SQLException explained(OwnershipTrigger trigger, Installation how, SQLException failure) {
        String state = SqlFailures.sqlStates(failure).stream().findFirst().orElse("");
        if (state.equals("55P03")) {
            throw new TablesBusyException(trigger.ownership().toString(), how.lockTimeout(), failure);
        } else if (NOT_POSSIBLE.contains(state)) {
            throw new OwnershipNotPossibleException(String.valueOf(failure.getMessage()), failure);
        }
        return failure;
    }

    private interface Change {
        Outcome run(Connection connection) throws SQLException;
    }
}
