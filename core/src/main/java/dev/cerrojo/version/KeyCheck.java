package dev.cerrojo.version;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.ScopeTypes;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import java.util.Map;

/** Asks whether the rows of a table can be told apart by what is named as their key, as triggers must. */
final class KeyCheck {
    private static final Template PROBLEM = new Template("""
            SELECT CASE
                WHEN c.relkind NOT IN ('r', 'p') OR c.relpersistence = 't' THEN
                  'it is no ordinary or partitioned table'
                WHEN EXISTS (SELECT 1 FROM pg_inherits AS i WHERE i.inhrelid = c.oid) THEN
                  'it is a partition or child: name the table at the top'
                WHEN c.relkind = 'r' AND EXISTS (SELECT 1 FROM pg_inherits AS i WHERE i.inhparent = c.oid) THEN
                  'it has children by inheritance, across which no key is unique'
                WHEN NOT EXISTS (
                    SELECT 1 FROM pg_index AS i
                    WHERE i.indrelid = c.oid AND i.indisunique AND i.indimmediate AND i.indisvalid AND i.indpred IS NULL
                      AND ARRAY(
                        SELECT a.attname::text FROM pg_attribute AS a
                        WHERE a.attrelid = c.oid AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
                        ORDER BY a.attname::text COLLATE "C"
                      ) = k.sorted AND i.indnkeyatts = cardinality(k.sorted)) THEN
                  'no unique index that is checked at once is on exactly ' || array_to_string(k.sorted, ', ')
                WHEN EXISTS (
                    SELECT 1 FROM pg_attribute AS a
                    WHERE a.attrelid = c.oid AND a.attname = ANY (k.sorted) AND NOT a.attnotnull) THEN
                  'a column of its key may be NULL'
                WHEN EXISTS (
                    SELECT 1
                    FROM (SELECT a.atttypid AS type, a.atttypmod AS mod, a.attcollation AS collation FROM pg_attribute AS a
                      WHERE a.attrelid = c.oid AND a.attname = ANY (k.sorted)) AS s
                    {joins}
                    WHERE {kind} IS NULL) THEN
                  'a column of its key is of a type whose equal values are written differently; allowed are integers, text, {others}'
                WHEN EXISTS (
                    SELECT 1 FROM unnest({ignored}) AS i (name)
                    WHERE NOT EXISTS (
                      SELECT 1 FROM pg_attribute AS a
                      WHERE a.attrelid = c.oid AND a.attname = i.name AND a.attnum > 0 AND NOT a.attisdropped)) THEN
                  'a column that is to be ignored does not exist'
              END
            FROM pg_class AS c
            CROSS JOIN (
              SELECT ARRAY(SELECT u.name FROM unnest({key}) AS u (name) ORDER BY u.name COLLATE "C") AS sorted
            ) AS k
            WHERE c.oid = to_regclass({table})""");

    private KeyCheck() {}

    /** {@return a query with one text: what is in the way, or NULL; no row when the table does not exist} */
    static String sql(SqlName qualified, VersionedTable table) {
        return PROBLEM.fill(Map.of(
                "table",
                Identifiers.quoteLiteral(qualified.sql()),
                "key",
                VersionedTable.array(table.keyLiterals()),
                "ignored",
                table.ignoredArray(),
                "joins",
                ScopeTypes.JOINS,
                "kind",
                ScopeTypes.KIND,
                "others",
                ScopeTypes.OTHERS));
    }
}
