package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.database.CompiledStatement.Column;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.postgresql.PGResultSetMetaData;

/** Reads the columns of a result. */
final class Columns {
    private Columns() {}

    static List<Column> of(ResultSetMetaData data) throws SQLException {
        List<Column> columns = new ArrayList<>();
        for (int i = 1; i <= data.getColumnCount(); i++) {
            columns.add(new Column(data.getColumnLabel(i), type(data.getColumnTypeName(i)), Optional.empty()));
        }
        return columns;
    }

    /** Asks also where they come from, which can cost a query on the result's connection. */
    static List<Column> withOrigins(ResultSetMetaData data) throws SQLException {
        List<Column> columns = new ArrayList<>();
        for (int i = 1; i <= data.getColumnCount(); i++) {
            columns.add(new Column(data.getColumnLabel(i), type(data.getColumnTypeName(i)), origin(data, i)));
        }
        return columns;
    }

    private static Optional<ColumnOrigin> origin(ResultSetMetaData data, int column) throws SQLException {
        if (!(data instanceof PGResultSetMetaData of)
                || of.getBaseTableName(column).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ColumnOrigin(
                of.getBaseSchemaName(column), of.getBaseTableName(column), of.getBaseColumnName(column)));
    }

    /** The driver calls a column that numbers itself by the word that created it. */
    private static String type(String name) {
        return switch (name) {
            case "serial" -> "int4";
            case "bigserial" -> "int8";
            case "smallserial" -> "int2";
            default -> name;
        };
    }
}
