package dev.cerrojo.idempotency;

import dev.cerrojo.internal.BorrowedConnection;
import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.schema.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement in a transaction of its own at READ COMMITTED: one round trip where the connection commits by itself.
 *
 * @param dataSource where
 */
record ClaimSql(DataSource dataSource) implements Statements<RuntimeException> {
    private static final Set<String> NOT_INSTALLED = Set.of("42P01", "3F000", "42703");

    /** {@return what runs statements in the transaction that is open on a connection} */
    static Statements<SQLException> in(Connection open) {
        return new Statements<>() {
            @Override
            public <T> T query(String what, String sql, Reader<T> reader, List<? extends @Nullable Object> values)
                    throws SQLException {
                return read(open, sql, reader, values);
            }
        };
    }

    @Override
    public <T> T query(String what, String sql, Reader<T> reader, List<? extends @Nullable Object> values) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getAutoCommit() && isReadCommitted(connection)
                    ? read(connection, sql, reader, values)
                    : inTransaction(connection, sql, reader, values);
        } catch (SQLException failure) {
            throw failed(what, failure);
        }
    }

    private static boolean isReadCommitted(Connection connection) throws SQLException {
        return connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
    }

    private static <T> T inTransaction(
            Connection connection, String sql, Reader<T> reader, List<? extends @Nullable Object> values)
            throws SQLException {
        return BorrowedConnection.inTransaction(
                connection, Connection.TRANSACTION_READ_COMMITTED, false, () -> read(connection, sql, reader, values));
    }

    /** {@return what a statement on a connection came to} */
    private static <T> T read(
            Connection connection, String sql, Reader<T> reader, List<? extends @Nullable Object> values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            try (ResultSet rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        }
    }

    private RuntimeException failed(String what, SQLException failure) {
        if (SqlFailures.sqlStates(failure).stream().anyMatch(NOT_INSTALLED::contains)) {
            sayWhatIsMissing(failure);
        }
        return new IdempotencyStoreException(
                "%s failed: %s: doing it again is safe".formatted(what, failure.getMessage()), failure);
    }

    /** Throws what says how to install the tables, if that is what is wrong. */
    private void sayWhatIsMissing(SQLException failure) {
        try {
            Schema.over(dataSource).validate();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }
}
