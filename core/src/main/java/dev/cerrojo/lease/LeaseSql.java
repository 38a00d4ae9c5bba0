package dev.cerrojo.lease;

import dev.cerrojo.internal.SqlFailures;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.Transactions;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs one statement in a transaction of its own: one round trip where the connection commits by itself.
 *
 * @param dataSource where
 * @param tables which
 */
record LeaseSql(DataSource dataSource, LeaseTables tables) {
    private static final int MOST_TRIES = 8;
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final Set<String> NOT_INSTALLED = Set.of("42P01", "3F000", "42704", "42703");

    /**
     * What is read from the rows.
     *
     * @param <T> what comes of it
     */
    interface Reader<T> {
        /** Reads all rows. */
        T read(ResultSet rows) throws SQLException;
    }

    /** {@return what came of it; empty when a lock that it does not wait for was not to be had} */
    <T> Optional<T> tryQuery(String what, String sql, Reader<T> reader, @Nullable Object... values) {
        try {
            return Optional.of(committed(sql, reader, values));
        } catch (SQLException | RuntimeException failure) {
            if (SqlFailures.sqlStates(failure).contains(LOCK_NOT_AVAILABLE)) {
                return Optional.empty();
            }
            throw failed(what, failure);
        }
    }

    /** {@return what came of it} */
    <T> T query(String what, String sql, Reader<T> reader, @Nullable Object... values) {
        try {
            return committed(sql, reader, values);
        } catch (SQLException | RuntimeException failure) {
            throw failed(what, failure);
        }
    }

    /** Above READ COMMITTED, which the connections may be at, two who change a row at once are told to try again. */
    private <T> T committed(String sql, Reader<T> reader, @Nullable Object... values) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return once(sql, reader, values);
            } catch (SQLException failure) {
                if (tries >= MOST_TRIES || SqlFailures.again(failure).isEmpty()) {
                    throw failure;
                }
            }
        }
    }

    private <T> T once(String sql, Reader<T> reader, @Nullable Object... values) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            if (connection.getAutoCommit()) {
                return read(connection, sql, reader, values);
            }
        }
        return Transactions.over(dataSource)
                .<Optional<T>, SQLException>call(
                        transaction -> Optional.of(read(transaction.connection(), sql, reader, values)))
                .orElseThrow();
    }

    /** {@return what a statement on a connection came to} */
    static <T> T read(Connection connection, String sql, Reader<T> reader, @Nullable Object... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, bound(connection, values[i]));
            }
            try (ResultSet rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        }
    }

    private static @Nullable Object bound(Connection connection, @Nullable Object value) throws SQLException {
        return value instanceof TextArray texts ? texts.in(connection) : value;
    }

    private RuntimeException failed(String what, Exception failure) {
        if (SqlFailures.sqlStates(failure).stream().anyMatch(NOT_INSTALLED::contains)) {
            sayWhatIsMissing(failure);
        }
        if (failure instanceof NestedTransactionException mistake) {
            throw mistake;
        }
        return new LeaseStoreException("%s failed: %s".formatted(what, failure.getMessage()), failure);
    }

    /** Throws what says how to install the tables, if that is what is wrong. */
    private void sayWhatIsMissing(Exception failure) {
        try {
            Schema.over(dataSource, tables.schema()).validate();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** {@return how many rows there are} */
    static int rows(ResultSet rows) throws SQLException {
        int count = 0;
        while (rows.next()) {
            count++;
        }
        return count;
    }

    /** {@return the number in the one row} */
    static int count(ResultSet rows) throws SQLException {
        rows.next();
        return rows.getInt(1);
    }

    /** {@return the token in the one row, if there is one} */
    static OptionalLong token(ResultSet rows) throws SQLException {
        return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
    }

    static long micros(Duration duration) {
        return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
    }

    /**
     * Texts as one value.
     *
     * @param texts the texts
     */
    record TextArray(List<String> texts) {
        private Array in(Connection connection) throws SQLException {
            return connection.createArrayOf("text", texts.toArray());
        }
    }
}
