package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.serial.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows that a session has read of one result: those that its code asked for. */
final class Reading {
    private final String sql;
    private final List<Rows.Column> columns;
    private final List<List<@Nullable String>> rows = new ArrayList<>();

    Reading(String sql, List<Rows.Column> columns) {
        this.sql = sql;
        this.columns = List.copyOf(columns);
    }

    String sql() {
        return sql;
    }

    /** Notes the row that a result stands on. */
    void read(ResultSet result) throws SQLException {
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 1; i <= columns.size(); i++) {
            row.add(result.getString(i));
        }
        rows.add(row);
    }

    Rows rows() {
        return new Rows(columns, rows);
    }
}
