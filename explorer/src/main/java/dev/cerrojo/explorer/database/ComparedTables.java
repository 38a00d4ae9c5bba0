package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.serial.Rows;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a database as two runs are compared: which of their columns hold surrogates, whose values are others in each run
 * and mean nothing but themselves. Those are numbers of sequences, random identifiers and times that a default filled in, and
 * what refers to such a column by a foreign key.
 */
public final class ComparedTables {
    /** Of a column: schema, table, name, where its values come from by default, its type, how PostgreSQL numbers and quotes it. */
    private static final String COLUMNS = """
            SELECT n.nspname, c.relname, a.attname, c.oid::regclass,
                   CASE WHEN a.attidentity <> '' THEN 'identity of ' || c.oid::regclass
                        WHEN pg_get_expr(d.adbin, d.adrelid)
                             ~* '(nextval|uuid|random|now|clock_timestamp|statement_timestamp|current_|localtime)'
                          THEN pg_get_expr(d.adbin, d.adrelid) END,
                   a.atttypid::regtype, c.relkind = 'p', c.oid, a.attnum, quote_ident(a.attname)
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum AND a.attgenerated = ''
             WHERE c.relkind IN ('r', 'm', 'p') AND c.relpersistence <> 't'
               AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer', 'pg_toast')
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

    private final boolean generous;
    private final Map<String, List<Rows.Column>> tables = new LinkedHashMap<>();
    private final Map<String, List<String>> quoted = new LinkedHashMap<>();
    private final Map<ColumnOrigin, String> sources = new HashMap<>();
    private final Map<ColumnOrigin, ColumnOrigin> references = new HashMap<>();
    private final Map<Numbered, ColumnOrigin> byNumber = new HashMap<>();

    private record Numbered(long table, int column) {}

    /** Runs a query, and returns for each row a text per column. */
    @FunctionalInterface
    public interface Query {
        /**
         * Runs it.
         *
         * @param sql one query, without variables
         * @return its rows; null for SQL NULL
         * @throws SQLException if PostgreSQL does not take it
         */
        List<List<@Nullable String>> rows(String sql) throws SQLException;
    }

    /**
     * Reads the catalog.
     *
     * @param query asks it
     * @param generous whether keys and times that sessions may have made themselves are surrogates too: all that are of type
     *     {@code uuid} or a timestamp
     * @throws SQLException if the catalog cannot be read
     */
    public ComparedTables(Query query, boolean generous) throws SQLException {
        this.generous = generous;
        List<List<@Nullable String>> columns = query.rows(COLUMNS);
        for (List<@Nullable String> row : query.rows(REFERENCES)) {
            references.put(origin(row, 0), origin(row, 3));
        }
        for (List<@Nullable String> row : columns) {
            byNumber.put(new Numbered(Long.parseLong(text(row, 7)), Integer.parseInt(text(row, 8))), origin(row, 0));
            source(row).ifPresent(source -> sources.put(origin(row, 0), source));
        }
        columns.stream().filter(row -> !text(row, 6).startsWith("t")).forEach(this::addColumn);
    }

    private void addColumn(List<@Nullable String> row) {
        String table = text(row, 3);
        tables.computeIfAbsent(table, any -> new ArrayList<>())
                .add(new Rows.Column(text(row, 2), surrogate(origin(row, 0))));
        quoted.computeIfAbsent(table, any -> new ArrayList<>()).add(text(row, 9));
    }

    private Optional<String> source(List<@Nullable String> row) {
        String byDefault = row.get(4);
        return byDefault == null ? sourceOfType(text(row, 5)) : Optional.of(byDefault);
    }

    private Optional<String> sourceOfType(String type) {
        boolean made = type.equals("uuid") || type.startsWith("timestamp");
        return generous && made ? Optional.of("made by sessions") : Optional.empty();
    }

    private static ColumnOrigin origin(List<@Nullable String> row, int first) {
        return new ColumnOrigin(text(row, first), text(row, first + 1), text(row, first + 2));
    }

    private static String text(List<@Nullable String> row, int index) {
        return Objects.requireNonNull(row.get(index));
    }

    private Optional<String> surrogate(ColumnOrigin column) {
        ColumnOrigin at = column;
        for (int i = 0; i < LONGEST_CHAIN && at != null; i++) {
            ColumnOrigin next = references.get(at);
            if (sources.containsKey(at) && (next == null || !sources.containsKey(next))) {
                return Optional.ofNullable(sources.get(at));
            }
            at = next;
        }
        return Optional.empty();
    }

    /** {@return the queries for all rows of all tables} */
    public List<String> queries() {
        return tables.keySet().stream().map(table -> "TABLE ONLY " + table).toList();
    }

    /**
     * One query for all of that: for each row the number of its table, from 0, and an array of its values as text.
     *
     * @return the query
     */
    String query() {
        if (quoted.isEmpty()) {
            return "SELECT 0, '{}'::text[] WHERE false";
        }
        List<String> each = new ArrayList<>();
        quoted.forEach((table, columns) -> each.add("SELECT " + each.size() + ", ARRAY["
                + String.join("::text, ", columns) + "::text] FROM ONLY " + table));
        return String.join(" UNION ALL ", each);
    }

    /**
     * Names the rows that the queries returned.
     *
     * @param results for each query, in their order, its rows
     * @return the rows, by table
     */
    public Map<String, Rows> rows(List<List<List<@Nullable String>>> results) {
        Map<String, Rows> rows = new LinkedHashMap<>();
        tables.forEach((table, columns) -> rows.put(table, new Rows(columns, results.get(rows.size()))));
        return rows;
    }

    /**
     * Reads all rows of all tables.
     *
     * @param query reads them
     * @return the rows, by table
     * @throws SQLException if they cannot be read
     */
    public Map<String, Rows> rows(Query query) throws SQLException {
        List<List<List<@Nullable String>>> results = new ArrayList<>();
        for (String sql : queries()) {
            results.add(query.rows(sql));
        }
        return rows(results);
    }

    /**
     * Tells where the columns of a result come from.
     *
     * @param result the result; asking it may cost a query on its connection
     * @return its columns
     * @throws SQLException if that cannot be told
     */
    public List<Rows.Column> columns(ResultSetMetaData result) throws SQLException {
        return Columns.withOrigins(result).stream().map(this::column).toList();
    }

    Rows.Column column(CompiledStatement.Column column) {
        return new Rows.Column(
                column.name(), column.origin().map(this::surrogate).orElseGet(() -> sourceOfType(column.type())));
    }

    /**
     * Tells where a column of a result comes from.
     *
     * @param name what the result calls it
     * @param table the oid of the table that it is a column of; 0 when it is computed
     * @param number its number there
     * @return the column
     */
    public Rows.Column column(String name, long table, int number) {
        ColumnOrigin origin = byNumber.get(new Numbered(table, number));
        return origin == null ? Rows.Column.plain(name) : new Rows.Column(name, surrogate(origin));
    }
}
