package dev.cerrojo.invariant;

import dev.cerrojo.internal.ScopeTypes;
import dev.cerrojo.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The type of a scope's key, as the database has it.
 *
 * <p>Every value is cast to it before it becomes text: 17, 17.0 and '17' must be one scope, not three.
 *
 * @param sql the type as SQL writes it
 * @param oneText whether equal keys are always written the same
 */
record KeyType(String sql, boolean oneText) {
    private static final String QUERY = """
            SELECT format_type(s.type, s.mod), (%s) IS NOT NULL
            FROM (
              SELECT a.atttypid AS type, a.atttypmod AS mod, a.attcollation AS collation
              FROM pg_attribute AS a
              WHERE a.attrelid = to_regclass(?) AND a.attname = ? AND a.attnum > 0 AND NOT a.attisdropped
            ) AS s
            %s""".formatted(ScopeTypes.KIND, ScopeTypes.JOINS);

    /** {@return the type of a key; takes a snapshot} */
    static KeyType of(Connection connection, Scope.Table scope) throws SQLException {
        SqlName table = Declaration.table("table", scope.table());
        SqlName key = Declaration.column("key", scope.key());
        try (PreparedStatement query = connection.prepareStatement(QUERY)) {
            query.setString(1, table.sql());
            query.setString(2, key.name());
            try (ResultSet type = query.executeQuery()) {
                if (!type.next()) {
                    throw new NotProtectedException(
                            "the scope %s(%s) must be a table and its column, but there is none on this connection: look at"
                                            .formatted(scope.table(), scope.key())
                                    + " its name, and at search_path");
                }
                return new KeyType(type.getString(1), type.getBoolean(2));
            }
        }
    }

    /** {@return an expression cast to the type} */
    String cast(String expression) {
        return "(" + expression + ")::" + sql;
    }
}
