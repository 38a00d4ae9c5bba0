package dev.cerrojo.guard;

import dev.cerrojo.internal.BorrowedConnection;
import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.ExclusiveLocks;
import dev.cerrojo.internal.Execution;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.InstallationLock;
import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Installation.Outcome;
import dev.cerrojo.schema.TablesBusyException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Installs, verifies and drops guards in a database. Safe for use by several threads and processes.
 *
 * <pre>{@code
 * Guards guards = Guards.over(dataSource);
 * guards.install(Guard.of(coverage, GuardOptions.defaults()), Installation.defaults());
 * List<Finding> drift = guards.verify(Guard.of(coverage, GuardOptions.defaults()));
 * }</pre>
 */
public final class Guards {
    private static final Set<String> NOT_POSSIBLE = Set.of("0A000", "42804");

    private final DataSource dataSource;

    private Guards(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** {@return guards in the database that the source leads to} */
    public static Guards over(DataSource dataSource) {
        return new Guards(dataSource);
    }

    /**
     * Installs a guard in one transaction at READ COMMITTED. From its first lock until it ends, writers of the tables wait
     * and readers do not; when a guard is replaced, readers wait too, and there is no moment without one.
     *
     * @return what it did: nothing when the same guard is there already
     * @throws ExistingViolationsException when rows violate the invariant
     * @throws GuardDiffersException when a guard that differs is there and {@link Installation#replace()} is not asked
     * @throws GuardNotPossibleException when the tables are such that no guard can keep them
     * @throws TablesBusyException when a lock was not free within {@link Installation#lockTimeout()}
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public Outcome install(Guard guard, Installation how) throws SQLException {
        return changing(guard, how, connection -> install(connection, guard, how));
    }

    private static Outcome install(Connection connection, Guard guard, Installation how) throws SQLException {
        setSearchPath(connection, guard);
        List<Finding> differences = Inspection.of(connection, guard).findings();
        if (differences.isEmpty()) {
            return Outcome.ALREADY_INSTALLED;
        }
        boolean absent = differences.get(0).kind() == Kind.NOT_INSTALLED;
        if (!absent && !how.replace()) {
            throw new GuardDiffersException(guard.invariant().name(), differences);
        }
        if (!absent) {
            new ExclusiveLocks(connection, how.lockTimeout()).take(tables(connection, guard));
            Execution.run(
                    connection,
                    guard instanceof TriggerGuard triggers ? triggers.dropObjects() : guard.dropStatements());
        }
        Execution.run(connection, missing(connection, guard));
        return absent ? Outcome.INSTALLED : Outcome.REPLACED;
    }

    /** Without what others have made: for CREATE SCHEMA one must have the right to, also where IF NOT EXISTS makes none. */
    private static List<String> missing(Connection connection, Guard guard) throws SQLException {
        GuardTable table = new GuardTable(options(guard).ownSchema());
        List<String> statements = new ArrayList<>(guard.installStatements());
        if (!CatalogRow.of(connection, "SELECT to_regclass(?) AS found", table.sql())
                .get(0)
                .text("found")
                .isEmpty()) {
            statements.removeAll(table.createStatements());
        }
        return statements;
    }

    /**
     * Drops a guard with all it stored, in one transaction. What other guards share, such as the guard table, stays.
     *
     * @throws TablesBusyException when a lock was not free within {@link Installation#lockTimeout()}
     * @throws SQLException for whatever else fails; in all cases nothing was changed
     */
    public void drop(Guard guard, Installation how) throws SQLException {
        changing(guard, how, connection -> {
            setSearchPath(connection, guard);
            new ExclusiveLocks(connection, how.lockTimeout()).take(tables(connection, guard));
            Execution.run(connection, guard.dropStatements());
            return Outcome.INSTALLED;
        });
    }

    /**
     * Compares a guard with what is in the database, in one read-only transaction with one snapshot; takes no lock that
     * writers wait for.
     *
     * @return in what they differ, and whether rows violate the invariant now; empty when all is well
     */
    public List<Finding> verify(Guard guard) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(connection, Connection.TRANSACTION_REPEATABLE_READ, true, () -> {
                setSearchPath(connection, guard);
                return findings(connection, guard);
            });
        }
    }

    private static List<Finding> findings(Connection connection, Guard guard) throws SQLException {
        Inspection inspection = Inspection.of(connection, guard);
        List<Finding> findings = new ArrayList<>(inspection.findings());
        Savepoint before = connection.setSavepoint();
        try {
            findings.addAll(unfit(connection, guard, inspection));
            findings.addAll(violated(connection, guard));
        } catch (SQLException failure) {
            if (!String.valueOf(failure.getSQLState()).startsWith("42")) {
                throw failure;
            }
            connection.rollback(before);
            findings.add(new Finding(
                    Kind.NOT_READABLE,
                    guard.invariant().name(),
                    "invariant %s cannot be asked of the database: %s"
                            .formatted(guard.invariant().name(), failure.getMessage())));
        }
        return findings;
    }

    private static List<Finding> unfit(Connection connection, Guard guard, Inspection inspection) throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (String query : inspection.problemQueries()) {
            CatalogRow.all(connection, query).stream()
                    .flatMap(row -> row.values().values().stream())
                    .forEach(problem -> findings.add(new Finding(
                            Kind.TABLE_UNFIT,
                            guard.invariant().name(),
                            "invariant %s cannot be guarded on %s"
                                    .formatted(guard.invariant().name(), problem))));
        }
        return findings;
    }

    private static List<Finding> violated(Connection connection, Guard guard) throws SQLException {
        Violations violations = Violations.of(connection, guard.invariant());
        return violations.rows().isEmpty()
                ? List.of()
                : List.of(new Finding(
                        Kind.VIOLATED,
                        guard.invariant().name(),
                        "invariant %s is violated by these rows:\n  %s"
                                .formatted(guard.invariant().name(), violations.inLines())));
    }

    private Outcome changing(Guard guard, Installation how, Change change) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(connection, Connection.TRANSACTION_READ_COMMITTED, false, () -> {
                Execution.set(connection, "lock_timeout", how.lockTimeout().toMillis() + "ms");
                Execution.run(
                        connection, List.of(InstallationLock.sql(options(guard).ownSchema())));
                Outcome outcome = change.run(connection);
                if (how.dryRun()) {
                    connection.rollback();
                }
                return outcome;
            });
        } catch (SQLException failure) {
            throw explained(guard, how, failure);
        }
    }

    private SQLException explained(Guard guard, Installation how, SQLException failure) throws SQLException {
        String name = guard.invariant().name();
        String state = SqlFailures.sqlStates(failure).stream().findFirst().orElse("");
        if (state.equals("55P03")) {
            throw new TablesBusyException("invariant " + name, how.lockTimeout(), failure);
        } else if (NOT_POSSIBLE.contains(state)) {
            throw new GuardNotPossibleException(String.valueOf(failure.getMessage()), failure);
        } else if (state.equals("23514")) {
            throw new ExistingViolationsException(name, violations(guard), failure);
        }
        return failure;
    }

    private Violations violations(Guard guard) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return BorrowedConnection.inTransaction(connection, Connection.TRANSACTION_READ_COMMITTED, true, () -> {
                setSearchPath(connection, guard);
                return Violations.of(connection, guard.invariant());
            });
        }
    }

    static GuardOptions options(Guard guard) {
        return guard instanceof TriggerGuard triggers ? triggers.options() : ((NativeConstraint) guard).options();
    }

    private static void setSearchPath(Connection connection, Guard guard) throws SQLException {
        Execution.set(connection, "search_path", Preflight.searchPath(options(guard)));
    }

    private static Set<String> tables(Connection connection, Guard guard) throws SQLException {
        return guard instanceof TriggerGuard triggers ? new TriggerInspection(connection, triggers).tables() : Set.of();
    }

    private interface Change {
        Outcome run(Connection connection) throws SQLException;
    }
}
