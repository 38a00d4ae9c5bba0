package dev.cerrojo.guard;

import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Compares the guard table with what it must be. */
record GuardTableInspection(Connection connection, GuardTable guardTable) {
    private static final String SHAPE = """
            SELECT c.relkind = 'r' AS is_table,
              c.relrowsecurity OR EXISTS (SELECT 1 FROM pg_trigger AS t
                WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgtype & 2 <> 0) AS filtered,
              (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
                  CASE WHEN a.attnotnull THEN 'NOT NULL' END), ', ' ORDER BY a.attnum)
                FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
              (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint AS k
                WHERE k.conrelid = c.oid AND k.contype = 'p') AS key
            FROM pg_class AS c WHERE c.oid = to_regclass(?)""";

    private static final String COLUMNS = "invariant text NOT NULL, scope text NOT NULL, touched bigint NOT NULL";
    private static final String KEY = "PRIMARY KEY (invariant, scope)";

    List<Finding> findings() throws SQLException {
        List<CatalogRow> rows = CatalogRow.of(connection, SHAPE, guardTable.sql());
        if (rows.isEmpty()) {
            return List.of(new Finding(
                    Kind.GUARD_TABLE_MISSING,
                    guardTable.sql(),
                    "the guard table %s does not exist: replace the guard".formatted(guardTable.sql())));
        }
        CatalogRow shape = rows.get(0);
        boolean same = shape.is("is_table")
                && !shape.is("filtered")
                && shape.text("columns").equals(COLUMNS)
                && shape.text("key").equals(KEY);
        return same ? List.of() : List.of(changed(shape));
    }

    private Finding changed(CatalogRow shape) {
        return new Finding(
                Kind.GUARD_TABLE_CHANGED,
                guardTable.sql(),
                "the guard table %s must be a table with %s, %s and neither row-level security nor BEFORE triggers, but has %s, %s%s"
                        .formatted(
                                guardTable.sql(),
                                COLUMNS,
                                KEY,
                                shape.text("columns"),
                                shape.text("key"),
                                shape.is("filtered") ? " and one of these" : ""));
    }
}
