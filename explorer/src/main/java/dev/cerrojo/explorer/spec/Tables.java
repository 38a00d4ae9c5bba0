package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.database.ComparedTables;
import dev.cerrojo.explorer.database.ConnectionLostException;
import dev.cerrojo.explorer.serial.Rows;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of a specification's database, read by its connections, and what is known of their columns. */
final class Tables {
    private static final String SYSTEM_COLUMN = "system column";

    private final ComparedTables tables;

    private Tables(ComparedTables tables) {
        this.tables = tables;
    }

    static Tables of(SpecConnection connection) {
        try {
            return new Tables(new ComparedTables(sql -> rows(connection, sql), false));
        } catch (SQLException e) {
            throw new ConnectionLostException(String.valueOf(e.getMessage()), e);
        }
    }

    private static List<List<@Nullable String>> rows(SpecConnection connection, String sql) {
        return connection.run(sql).results().get(0).rows();
    }

    /** {@return all rows of all tables, by table} */
    Map<String, Rows> rows(SpecConnection connection) {
        String all = String.join(";", tables.queries());
        return tables.rows(
                all.isEmpty()
                        ? List.of()
                        : connection.run(all).results().stream()
                                .map(Answer.Result::rows)
                                .toList());
    }

    /** {@return rows that were read otherwise, by table} */
    Map<String, Rows> rows(List<List<List<@Nullable String>>> read) {
        return tables.rows(read);
    }

    /** {@return what is known of them} */
    ComparedTables compared() {
        return tables;
    }

    /** {@return a result set, with what is known of its columns; what a system column says is masked} */
    Rows rows(Answer.Result result) {
        List<Rows.Column> columns = result.columns().stream()
                .map(column -> tables.column(column.name(), Integer.toUnsignedLong(column.table()), column.number()))
                .toList();
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (List<@Nullable String> row : result.rows()) {
            List<@Nullable String> masked = new ArrayList<>(row);
            for (int i = 0; i < masked.size(); i++) {
                if (result.columns().get(i).number() < 0) {
                    masked.set(i, SYSTEM_COLUMN);
                }
            }
            rows.add(Collections.unmodifiableList(masked));
        }
        return new Rows(columns, rows);
    }
}
