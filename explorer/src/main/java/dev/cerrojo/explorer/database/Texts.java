package dev.cerrojo.explorer.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results of queries as texts. */
final class Texts {
    private Texts() {}

    /** {@return for each row a text per column, null for SQL NULL} */
    static List<List<@Nullable String>> of(Connection connection, String query) throws SQLException {
        List<List<@Nullable String>> all = new ArrayList<>();
        try (Statement sql = connection.createStatement()) {
            sql.setEscapeProcessing(false);
            try (ResultSet rows = sql.executeQuery(query)) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    List<@Nullable String> row = new ArrayList<>();
                    for (int i = 1; i <= columns; i++) {
                        row.add(rows.getString(i));
                    }
                    all.add(row);
                }
            }
        }
        return all;
    }
}
