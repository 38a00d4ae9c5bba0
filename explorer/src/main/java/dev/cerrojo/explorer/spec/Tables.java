package dev.cerrojo.explorer.spec;

import dev.cerrojo.explorer.serial.Rows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a database, and which of their columns hold surrogates: numbers of sequences, random identifiers and times that
 * a default filled in, and what refers to such a column by a foreign key.
 */
final class Tables {
    /** Materialized views too; partitioned tables and views only for the columns of results. */
    private static final String COLUMNS = """
            SELECT c.oid, c.oid::regclass, c.relkind, a.attnum, a.attname,
                   CASE WHEN a.attidentity <> '' THEN 'identity of ' || c.oid::regclass
                        WHEN pg_get_expr(d.adbin, d.adrelid)
                             ~* '(nextval|uuid|random|now|clock_timestamp|statement_timestamp|current_|localtime)'
                          THEN pg_get_expr(d.adbin, d.adrelid) END
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum AND a.attgenerated = ''
             WHERE c.relkind IN ('r', 'm', 'p') AND c.relpersistence <> 't'
               AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer', 'pg_toast')
             ORDER BY c.oid::regclass::text, a.attnum""";

    private static final String REFERENCES = """
            SELECT k.conrelid, u.mine, k.confrelid, u.other
              FROM pg_constraint k, unnest(k.conkey, k.confkey) AS u(mine, other)
             WHERE k.contype = 'f'""";

    /** A longer chain of foreign keys is a cycle. */
    private static final int LONGEST_CHAIN = 20;

    private static final String SYSTEM_COLUMN = "system column";

    private final Map<String, List<Rows.Column>> tables = new LinkedHashMap<>();
    private final Map<Place, String> surrogates = new HashMap<>();
    private final Map<Place, Place> references = new HashMap<>();

    /** A column, as PostgreSQL numbers it. */
    private record Place(int table, int column) {}

    private Tables() {}

    static Tables of(SpecConnection connection) {
        Tables tables = new Tables();
        List<Answer.Result> results = connection.run(COLUMNS + ";" + REFERENCES).results();
        for (List<@Nullable String> row : results.get(1).rows()) {
            tables.references.put(place(row, 0, 1), place(row, 2, 3));
        }
        for (List<@Nullable String> row : results.get(0).rows()) {
            String source = row.get(5);
            if (source != null) {
                tables.surrogates.put(place(row, 0, 3), source);
            }
        }
        results.get(0).rows().forEach(tables::addColumn);
        return tables;
    }

    private static Place place(List<@Nullable String> row, int table, int column) {
        return new Place(number(row.get(table)), Integer.parseInt(text(row.get(column))));
    }

    /** An oid is unsigned; the driver keeps its bits in an int. */
    private static int number(@Nullable String oid) {
        return Integer.parseUnsignedInt(text(oid));
    }

    private static String text(@Nullable String value) {
        return Objects.requireNonNull(value);
    }

    private void addColumn(List<@Nullable String> row) {
        if (!"p".equals(row.get(2))) {
            tables.computeIfAbsent(text(row.get(1)), any -> new ArrayList<>())
                    .add(new Rows.Column(text(row.get(4)), surrogate(place(row, 0, 3))));
        }
    }

    private Optional<String> surrogate(Place column) {
        Place at = column;
        for (int i = 0; i < LONGEST_CHAIN; i++) {
            String source = surrogates.get(at);
            Place next = references.get(at);
            if (source != null) {
                return Optional.of(source);
            } else if (next == null) {
                return Optional.empty();
            }
            at = next;
        }
        return Optional.empty();
    }

    /** {@return all rows of all tables, by table} */
    Map<String, Rows> rows(SpecConnection connection) {
        if (tables.isEmpty()) {
            return Map.of();
        }
        StringBuilder sql = new StringBuilder();
        tables.keySet().forEach(table -> sql.append("TABLE ONLY ").append(table).append(';'));
        List<Answer.Result> results = connection.run(sql.toString()).results();
        Map<String, Rows> rows = new LinkedHashMap<>();
        int i = 0;
        for (Map.Entry<String, List<Rows.Column>> table : tables.entrySet()) {
            rows.put(table.getKey(), new Rows(table.getValue(), results.get(i++).rows()));
        }
        return rows;
    }

    /** {@return a result set, with what is known of its columns; what a system column says is masked} */
    Rows rows(Answer.Result result) {
        List<Rows.Column> columns = result.columns().stream().map(this::column).toList();
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

    private Rows.Column column(Answer.Column column) {
        return new Rows.Column(column.name(), surrogate(new Place(column.table(), column.number())));
    }
}
