package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.sql.SqlTemplate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A statement of a scenario that PostgreSQL has seen: how its variables are bound and which columns it returns.
 *
 * @param sql the statement
 * @param binding how its variables are bound
 * @param columns its result's columns; empty when it returns none
 */
record CompiledStatement(SqlTemplate sql, Binding binding, List<Column> columns) {
    /** Copies the columns. */
    CompiledStatement {
        columns = List.copyOf(columns);
    }

    /**
     * A column of a result.
     *
     * @param name its name
     * @param type its PostgreSQL type
     * @param origin the column of a table that it was read from; empty when it is computed, or when nobody asked
     */
    record Column(String name, String type, Optional<ColumnOrigin> origin) {}

    void bind(PreparedStatement statement, Map<String, Datum> variables) throws SQLException {
        int index = 1;
        for (String name : sql.variables()) {
            Datum value = variables.get(name);
            if (value == null) {
                throw new SQLException("the variable :" + name + " is not bound", "CERR0");
            }
            binding.bind(statement, index++, value.type(), value.text());
        }
    }

    /** {@return the values bound, for people: {@code shift=1, doctor='A'}} */
    String bound(Map<String, Datum> variables) {
        return sql.variables().stream()
                .distinct()
                .map(name -> name + "=" + variables.get(name))
                .collect(Collectors.joining(", "));
    }
}
