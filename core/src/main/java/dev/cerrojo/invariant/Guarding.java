package dev.cerrojo.invariant;

import dev.cerrojo.internal.JdbcSql;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of one invariant that a transaction guards.
 *
 * @param point what puts their transactions in order
 * @param keys the keys of the scopes; none in global scope
 * @param sql its statements, for as many scopes
 */
record Guarding(SerializationPoint point, List<Object> keys, GuardSql sql) {
    private static final int MOST_ROWS = 20;

    Guarding {
        keys = List.copyOf(keys);
    }

    Invariant invariant() {
        return point.invariant();
    }

    private PointKind kind() {
        return PointKind.of(point);
    }

    /** Takes the serialization point; one round trip. */
    void take(Transaction transaction) throws SQLException {
        try (PreparedStatement statement = prepare(transaction.connection(), sql.take())) {
            if (statement.execute()) {
                requireTaken(statement);
            }
        }
    }

    private void requireTaken(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.getResultSet()) {
            int taken = 0;
            for (; rows.next(); taken++) {
                requireHolding(Isolation.ofSql(rows.getString(1)));
            }
            requireScopeRows(taken);
        }
    }

    private void requireHolding(Isolation isolation) {
        if (!point.holdsAt(isolation)) {
            throw new NotProtectedException("%s does not protect invariant %s at %s, the level of this transaction: %s"
                    .formatted(kind().words(), invariant().name(), isolation.sql(), kind().instead()));
        }
    }

    private void requireScopeRows(int taken) {
        if (point instanceof SerializationPoint.LockScopeRow && taken < keys.size()) {
            throw new NotProtectedException(
                    "%s of invariant %s found %d of the scope rows %s, and a row that is not there cannot be locked: make the"
                                    .formatted(kind().words(), invariant().name(), taken, keys)
                            + " row first, or use touch");
        }
    }

    /**
     * Reads whether the invariant holds.
     *
     * @throws InvariantViolatedException when it does not
     */
    void check(Transaction transaction) throws SQLException {
        List<Map<String, @Nullable Object>> violations = violations(transaction.connection());
        if (!violations.isEmpty()) {
            throw new InvariantViolatedException(invariant(), violations);
        }
    }

    private List<Map<String, @Nullable Object>> violations(Connection connection) throws SQLException {
        try (PreparedStatement query = prepare(connection, sql.check())) {
            query.setMaxRows(MOST_ROWS);
            try (ResultSet rows = query.executeQuery()) {
                return read(rows);
            }
        }
    }

    private static List<Map<String, @Nullable Object>> read(ResultSet rows) throws SQLException {
        List<Map<String, @Nullable Object>> read = new ArrayList<>();
        while (rows.next()) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                row.put(rows.getMetaData().getColumnLabel(i), rows.getObject(i));
            }
            read.add(Collections.unmodifiableMap(row));
        }
        return List.copyOf(read);
    }

    private PreparedStatement prepare(Connection connection, JdbcSql jdbc) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(jdbc.text());
        try {
            for (int i = 0; i < jdbc.places(); i++) {
                statement.setObject(i + 1, bound(keys.get(i)));
            }
            return statement;
        } catch (SQLException | RuntimeException failure) {
            statement.close();
            throw failure;
        }
    }

    private static Object bound(Object key) {
        return key instanceof Enum<?> constant ? constant.name() : key;
    }
}
