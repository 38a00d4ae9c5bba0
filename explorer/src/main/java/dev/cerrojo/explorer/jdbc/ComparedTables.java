package dev.cerrojo.explorer.jdbc;

import dev.cerrojo.explorer.database.UserDatabase;
import dev.cerrojo.explorer.serial.Rows;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGResultSetMetaData;

/**
 * The tables of a database as two runs of the same code are compared: which of their columns hold surrogates, whose values are
 * others in each run and mean nothing but themselves.
 */
final class ComparedTables {
    /** Of a column: schema, table, name, where its values come from by default, and its type. */
    private static final String COLUMNS = """
            SELECT n.nspname, c.relname, a.attname, c.oid::regclass,
                   CASE WHEN a.attidentity <> '' THEN 'identity of ' || c.oid::regclass
                        WHEN pg_get_expr(d.adbin, d.adrelid)
                             ~* '(nextval|uuid|random|now|clock_timestamp|statement_timestamp|current_|localtime)'
                          THEN pg_get_expr(d.adbin, d.adrelid) END,
                   a.atttypid::regtype
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum AND a.attgenerated = ''
             WHERE c.relkind = 'r' AND c.relpersistence <> 't'
               AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer')
             ORDER BY c.oid::regclass::text, a.attnum""";

    private static final String REFERENCES = """
            SELECT n.nspname, c.relname, a.attname, fn.nspname, f.relname, fa.attname
              FROM pg_constraint k
              CROSS JOIN unnest(k.conkey, k.confkey) AS u(mine, other)
              JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = u.mine
              JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
              JOIN pg_attribute fa ON fa.attrelid = f.oid AND fa.attnum = u.other
             WHERE k.contype = 'f'""";

    /** A longer chain of foreign keys is a cycle. */
    private static final int LONGEST_CHAIN = 20;

    private final UserDatabase database;
    private final Map<String, List<Rows.Column>> tables = new LinkedHashMap<>();
    private final Map<Place, String> sources = new HashMap<>();
    private final Map<Place, Place> references = new HashMap<>();

    private record Place(String schema, String table, String column) {}

    /**
     * Reads the catalog.
     *
     * @param generous whether keys and times that the code may have made itself are surrogates too: all that are of type {@code
     *     uuid} or a timestamp
     */
    ComparedTables(UserDatabase database, boolean generous) throws SQLException {
        this.database = database;
        List<List<@Nullable String>> columns = database.rows(COLUMNS);
        for (List<@Nullable String> row : database.rows(REFERENCES)) {
            references.put(place(row, 0), place(row, 3));
        }
        for (List<@Nullable String> row : columns) {
            source(row, generous).ifPresent(source -> sources.put(place(row, 0), source));
        }
        for (List<@Nullable String> row : columns) {
            tables.computeIfAbsent(text(row, 3), any -> new ArrayList<>())
                    .add(new Rows.Column(text(row, 2), surrogate(place(row, 0))));
        }
    }

    private static Optional<String> source(List<@Nullable String> row, boolean generous) {
        String type = text(row, 5);
        if (row.get(4) != null) {
            return Optional.of(text(row, 4));
        }
        boolean made = type.equals("uuid") || type.startsWith("timestamp");
        return generous && made ? Optional.of(type + " of the code") : Optional.empty();
    }

    private static Place place(List<@Nullable String> row, int first) {
        return new Place(text(row, first), text(row, first + 1), text(row, first + 2));
    }

    private static String text(List<@Nullable String> row, int index) {
        return java.util.Objects.requireNonNull(row.get(index));
    }

    private Optional<String> surrogate(Place column) {
        Place at = column;
        for (int i = 0; i < LONGEST_CHAIN && at != null; i++) {
            Place next = references.get(at);
            if (sources.containsKey(at) && (next == null || !sources.containsKey(next))) {
                return Optional.ofNullable(sources.get(at));
            }
            at = next;
        }
        return Optional.empty();
    }

    /** {@return all rows of all tables, by table} */
    Map<String, Rows> rows() throws SQLException {
        Map<String, Rows> rows = new LinkedHashMap<>();
        for (Map.Entry<String, List<Rows.Column>> table : tables.entrySet()) {
            rows.put(table.getKey(), new Rows(table.getValue(), database.rows("TABLE ONLY " + table.getKey())));
        }
        return rows;
    }

    /** {@return the columns of a result, with what is known of where they come from} */
    List<Rows.Column> columns(ResultSetMetaData result) throws SQLException {
        List<Rows.Column> columns = new ArrayList<>();
        for (int i = 1; i <= result.getColumnCount(); i++) {
            columns.add(new Rows.Column(result.getColumnLabel(i), source(result, i)));
        }
        return columns;
    }

    private Optional<String> source(ResultSetMetaData result, int column) throws SQLException {
        if (!(result instanceof PGResultSetMetaData of)
                || of.getBaseTableName(column).isEmpty()) {
            return Optional.empty();
        }
        return surrogate(
                new Place(of.getBaseSchemaName(column), of.getBaseTableName(column), of.getBaseColumnName(column)));
    }
}
