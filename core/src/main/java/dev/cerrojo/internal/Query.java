package dev.cerrojo.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement that returns rows.
 *
 * @param sql its text
 * @param values what is bound, in order
 */
public record Query(String sql, List<@Nullable Object> values) {
    /** {@return the rows, each as its values by column} */
    public List<Map<String, @Nullable Object>> rows(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.size(); i++) {
                bind(statement, i + 1, values.get(i));
            }
            try (ResultSet result = statement.executeQuery()) {
                return rows(result);
            }
        }
    }

    /** Text is bound without a type, so that PostgreSQL reads it as the column's: enum, JSON, UUID. */
    private static void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value instanceof String) {
            statement.setObject(index, value, Types.OTHER);
        } else {
            statement.setObject(index, value);
        }
    }

    private static List<Map<String, @Nullable Object>> rows(ResultSet result) throws SQLException {
        ResultSetMetaData columns = result.getMetaData();
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        while (result.next()) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                row.put(columns.getColumnLabel(i), result.getObject(i));
            }
            rows.add(row);
        }
        return rows;
    }
}
