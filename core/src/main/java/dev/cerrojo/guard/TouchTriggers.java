package dev.cerrojo.guard;

import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.PlpgsqlFunction;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.internal.Template;
import dev.cerrojo.invariant.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The triggers of one table of an invariant, and of every table below it: partitions and children, at every level. A
 * statement fires the statement triggers of the table that it names, and no other's; their transition tables have the
 * rows of all tables below it.
 *
 * @param table the table, qualified
 * @param events what they fire on
 * @param function what they call
 */
record TouchTriggers(
        Invariant invariant, GuardOptions options, SqlName table, Set<TableEvent> events, PlpgsqlFunction function) {
    private static final Template CREATE = new Template("""
            CREATE TRIGGER {trigger} AFTER {event} ON {table}
              {transition}FOR EACH STATEMENT EXECUTE FUNCTION {function}()""");

    private static final Template BELOW = new Template("""

            DECLARE
              member record;
            BEGIN
              -- A statement on a partition or a child fires its own triggers, not those of the table above it.
              FOR member IN
                WITH RECURSIVE below (oid) AS (
                  SELECT i.inhrelid FROM pg_inherits AS i WHERE i.inhparent = {table}::regclass
                  UNION
                  SELECT i.inhrelid FROM pg_inherits AS i JOIN below AS b ON i.inhparent = b.oid
                )
                SELECT b.oid::regclass::text AS place FROM below AS b ORDER BY b.oid
              LOOP
                {statements}
              END LOOP;
            END
            """);

    List<String> createStatements(String fingerprint) {
        List<String> statements = new ArrayList<>(createOn(table.sql(), fingerprint));
        statements.add("DO "
                + Identifiers.dollarQuote(BELOW.fill(Map.of(
                        "table", Identifiers.quoteLiteral(table.sql()),
                        "statements", executed(fingerprint)))));
        return statements;
    }

    /** The same statements for {@code member.place}; no name has the character that stands for it meanwhile. */
    private String executed(String fingerprint) {
        String place = "\0";
        return createOn(place, fingerprint).stream()
                .map(sql -> sql.replace("%", "%%").replace(place, "%1$s"))
                .map(sql -> "EXECUTE format(" + Identifiers.quoteLiteral(sql) + ", member.place);")
                .collect(Collectors.joining("\n"));
    }

    private List<String> createOn(String place, String fingerprint) {
        List<String> statements = new ArrayList<>();
        for (TableEvent event : events) {
            statements.add(CREATE.fill(Map.of(
                    "trigger", quotedName(event),
                    "event", event.name(),
                    "table", place,
                    "transition", event.transitionTables(),
                    "function", function.sql())));
            statements.addAll(describe(quotedName(event), place, invariant, options, fingerprint));
        }
        return statements;
    }

    /** {@return what follows the creation of every trigger} */
    static List<String> describe(
            String trigger, String place, Invariant invariant, GuardOptions options, String fingerprint) {
        String comment = Scripts.comment("TRIGGER " + trigger + " ON " + place, invariant, fingerprint);
        return options.alwaysEnabled()
                ? List.of(comment, "ALTER TABLE %s ENABLE ALWAYS TRIGGER %s".formatted(place, trigger))
                : List.of(comment);
    }

    private String quotedName(TableEvent event) {
        return Identifiers.quote(name(invariant, event));
    }

    static String name(Invariant invariant, TableEvent event) {
        return Identifiers.bounded("cerrojo_" + invariant.name() + event.suffix());
    }
}
