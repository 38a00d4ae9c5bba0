package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Choice;
import dev.cerrojo.explorer.schedule.StepResult;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.schedule.TraceEvent;
import dev.cerrojo.explorer.search.Violation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the sessions of a schedule left behind, as text: equal for schedules that nothing can tell apart.
 *
 * <p>Left out of rows are columns filled by a sequence or at random (identity, serial, {@code gen_random_uuid()}), and
 * columns that refer to these by a foreign key; a copy of such a key that no foreign key declares is not known for one, and
 * stays. A time within a day of now is "now", whatever it is; one inside of a text, an array or JSON stays.
 */
final class FinalState {
    private static final String COLUMNS = """
            WITH RECURSIVE surrogate(relation, number) AS (
                SELECT a.attrelid, a.attnum
                  FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
                 WHERE a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) ~ 'nextval|uuid|random'
                UNION
                SELECT c.conrelid, k.own
                  FROM surrogate s
                  JOIN pg_constraint c ON c.contype = 'f' AND c.confrelid = s.relation,
                       unnest(c.conkey, c.confkey) AS k(own, their)
                 WHERE k.their = s.number
            )
            SELECT c.oid::regclass::text,
                   string_agg(CASE WHEN a.atttypid NOT IN ('timestamptz'::regtype, 'timestamp'::regtype)
                                   THEN quote_ident(a.attname)
                                   ELSE format('CASE WHEN %1$I BETWEEN now() - interval ''1 day'' AND now() + interval ''1 day'''
                                               ' THEN ''now'' ELSE %1$I::text END', a.attname) END,
                              ', ' ORDER BY a.attnum)
              FROM pg_class c
              JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
             WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer')
               AND n.nspname NOT LIKE 'pg\\_%' AND (%s OR (c.oid, a.attnum) NOT IN (SELECT relation, number FROM surrogate))
             GROUP BY c.oid
             ORDER BY 1""";

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)?");

    private FinalState() {}

    static String of(Connection connection, Trace trace, List<Violation> violations, boolean all) throws SQLException {
        StringBuilder text = new StringBuilder();
        violations.forEach(violation ->
                text.append("violated ").append(violation.invariant()).append('\n'));
        if (all) {
            appendReads(text, trace);
        }
        try (Statement sql = connection.createStatement()) {
            sql.setEscapeProcessing(false);
            appendRows(text, sql, tables(sql, all));
        }
        return text.toString();
    }

    private static List<String> tables(Statement sql, boolean all) throws SQLException {
        List<String> queries = new ArrayList<>();
        try (ResultSet rows = sql.executeQuery(COLUMNS.replace("(%s OR", "(" + all + " OR"))) {
            while (rows.next()) {
                String table = rows.getString(1);
                queries.add("SELECT '" + table.replace("'", "''") + "', ROW(" + rows.getString(2)
                        + ")::text COLLATE \"C\" FROM ONLY " + table);
            }
        }
        return queries;
    }

    private static void appendRows(StringBuilder text, Statement sql, List<String> tables) throws SQLException {
        if (tables.isEmpty()) {
            return;
        }
        try (ResultSet rows = sql.executeQuery(String.join(" UNION ALL ", tables) + " ORDER BY 1, 2")) {
            while (rows.next()) {
                text.append(rows.getString(1))
                        .append(' ')
                        .append(rows.getString(2))
                        .append('\n');
            }
        }
    }

    private static void appendReads(StringBuilder text, Trace trace) {
        for (int session = 0; session < trace.outcomes().size(); session++) {
            for (TraceEvent event : trace.events()) {
                if (event instanceof TraceEvent.Finished finished && finished.session() == session) {
                    text.append(Choice.letter(session)).append(' ').append(returned(finished.result()));
                }
            }
        }
    }

    private static String returned(StepResult result) {
        String returned = result.error()
                .map(StepResult.Failure::sqlState)
                .orElse(result.rows() + " "
                        + TIME.matcher(String.valueOf(result.values())).replaceAll("now"));
        return returned + "\n";
    }
}
