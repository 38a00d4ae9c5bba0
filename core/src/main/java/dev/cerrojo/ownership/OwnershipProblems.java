package dev.cerrojo.ownership;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Asks the catalog what about a table an ownership cannot keep. */
final class OwnershipProblems {
    private static final Template QUERY = new Template("""
            SELECT string_agg(p.problem, '; ' ORDER BY p.problem) FROM (
              SELECT {name} || CASE
                  WHEN c.relkind NOT IN ('r', 'p') THEN ' is no table'
                  WHEN c.relpersistence = 't' THEN ' is a temporary table'
                  WHEN c.relispartition THEN ' is a partition: declare the table above it'
                  WHEN c.relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
                    THEN ' is a table of the system'
                END AS problem
              FROM pg_class AS c WHERE c.oid = {table}::regclass
              UNION ALL
              SELECT {name} || ' has no column ' || quote_ident(d.name)
              FROM unnest({declared}) AS d (name)
              WHERE NOT EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = {table}::regclass
                AND a.attname = d.name AND a.attnum > 0 AND NOT a.attisdropped)
              UNION ALL
              SELECT CASE
                  WHEN a.attgenerated <> '' AND a.attname = ANY ({owned})
                    THEN 'column ' || quote_ident(a.attname) || ' is generated: leave it out, nobody writes it'
                  WHEN a.attgenerated = '' AND a.attname <> ALL ({declared}) AND {strict}
                    THEN 'column ' || quote_ident(a.attname) || ' is nobody''s: declare whose it is'
                END
              FROM pg_attribute AS a
              WHERE a.attrelid = {table}::regclass AND a.attnum > 0 AND NOT a.attisdropped
            ) AS p""");

    private OwnershipProblems() {}

    /** {@return a query with one text, NULL when there is nothing to tell} */
    static String query(Ownership ownership, SqlName table) {
        List<String> owned = List.copyOf(ownership.owners().keySet());
        List<String> declared = new ArrayList<>(ownership.key());
        ownership.version().ifPresent(declared::add);
        declared.addAll(owned);
        return QUERY.fill(Map.of(
                "name", Identifiers.quoteLiteral(ownership.table()),
                "table", Identifiers.quoteLiteral(table.sql()),
                "declared", array(declared),
                "owned", array(owned),
                "strict", Boolean.toString(ownership.others().isEmpty())));
    }

    private static String array(List<String> names) {
        return names.stream().map(Identifiers::quoteLiteral).collect(Collectors.joining(", ", "ARRAY[", "]::text[]"));
    }
}
