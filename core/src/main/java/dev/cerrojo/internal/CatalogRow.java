package dev.cerrojo.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A row of a query, each value as PostgreSQL writes it as text.
 *
 * @param values column → value; a column that is NULL is not there
 */
public record CatalogRow(Map<String, String> values) {
    /** {@return the rows of a query without places: question marks are operators} */
    public static List<CatalogRow> all(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            try (ResultSet result = statement.executeQuery(sql)) {
                return read(result);
            }
        }
    }

    /** {@return the rows of a query with its places bound to texts} */
    public static List<CatalogRow> of(Connection connection, String sql, String... bound) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < bound.length; i++) {
                statement.setString(i + 1, bound[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                return read(result);
            }
        }
    }

    private static List<CatalogRow> read(ResultSet result) throws SQLException {
        List<CatalogRow> rows = new ArrayList<>();
        while (result.next()) {
            Map<String, String> values = new LinkedHashMap<>();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                String name = result.getMetaData().getColumnLabel(i);
                Optional.ofNullable(result.getString(i)).ifPresent(value -> values.put(name, value));
            }
            rows.add(new CatalogRow(values));
        }
        return rows;
    }

    /** {@return the value; empty text for NULL} */
    public String text(String column) {
        return values.getOrDefault(column, "");
    }

    /** {@return whether the value is true} */
    public boolean is(String column) {
        return text(column).equals("t");
    }
}
