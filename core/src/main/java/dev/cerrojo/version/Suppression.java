package dev.cerrojo.version;

import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.tx.TransactionControlException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;

/**
 * A part of one transaction in which no versions are made; what would have made one is logged, as what the system writes.
 *
 * <pre>{@code
 * try (Suppression migration = versions.suppress(tx)) {
 *     rename.executeUpdate();
 * }
 * }</pre>
 *
 * <p>May be nested: versions are made again when the outermost one is closed. It is a setting of the transaction, so that nothing of it
 * is left when that ends, however it ends, closed or not; no other transaction and no other thread ever sees it. Triggers see it too.
 *
 * <p><b>Savepoints.</b> One that is set within it ends with it, so that no rollback can bring it back: a rollback to such a savepoint
 * after {@link #close} is refused by PostgreSQL (3B001). A rollback to one from before it ends it at once.
 *
 * <p>Used by the thread that runs the work of the transaction.
 */
public final class Suppression implements AutoCloseable {
    /** The setting: a name for each suppression that is open, the outermost first, with commas between. Empty: none is open. */
    static final String SETTING = "cerrojo.versions_suppressed";

    private static final String OPEN = """
            SELECT set_config('%1$s', concat_ws(',', nullif(current_setting('%1$s', true), ''), gen_random_uuid()), true)""".formatted(SETTING);

    private static final String OPENED = "SELECT current_setting('%s', true)".formatted(SETTING);

    /** Those within it are over too. What it is bound to is the same in each run of a program. */
    private static final String CLOSE = """
            SELECT set_config('%1$s', array_to_string((string_to_array(current_setting('%1$s', true), ','))[:?], ','), true)""".formatted(SETTING);

    private static final String IN_FAILED = "25P02";

    private final Connection connection;
    private final Savepoint savepoint;
    private final int outer;
    private final String name;
    private boolean closed;

    private Suppression(Connection connection, Savepoint savepoint, List<String> names) {
        this.connection = connection;
        this.savepoint = savepoint;
        this.outer = names.size() - 1;
        this.name = names.get(outer);
    }

    static Suppression open(Connection connection) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        return new Suppression(connection, savepoint, names(connection, OPEN));
    }

    private static List<String> names(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            String names = row.getString(1);
            return names == null ? List.of() : List.of(names.split(",", -1));
        }
    }

    /**
     * Ends it; two or three round trips. Does nothing when it is over already: closed, ended by a rollback to an earlier savepoint, or
     * with its transaction.
     *
     * @throws SuppressionNotEndedException when PostgreSQL refuses, since a savepoint from before it was released within it, say; the
     *     transaction can only be rolled back then
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            end();
        } catch (TransactionControlException ended) {
            // and it has ended with its transaction
        } catch (SQLException failure) {
            if (!isOverAnyway(failure)) {
                throw new SuppressionNotEndedException(failure);
            }
        }
    }

    private void end() throws SQLException {
        if (connection.isClosed() || connection.getAutoCommit()) {
            return;
        }
        List<String> open = names(connection, OPENED);
        if (open.size() > outer && open.get(outer).equals(name)) {
            try (PreparedStatement statement = connection.prepareStatement(CLOSE)) {
                statement.setInt(1, outer);
                statement.execute();
            }
            connection.releaseSavepoint(savepoint);
        }
    }

    /** A transaction that has failed can only be rolled back, and one whose connection is gone is. */
    private static boolean isOverAnyway(SQLException failure) {
        return SqlFailures.sqlStates(failure).stream()
                .anyMatch(state -> state.equals(IN_FAILED) || state.startsWith("08"));
    }
}
