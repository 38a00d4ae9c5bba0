package dev.cerrojo.explorer.database;

import dev.cerrojo.explorer.schedule.Effect;
import dev.cerrojo.explorer.schedule.Footprint;
import dev.cerrojo.explorer.schedule.Trace;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a database runs without any statement saying so: defaults, checks, triggers, rules, policies and views, each when its
 * relation is touched; and functions, whenever.
 *
 * @param anywhere what is not of one relation
 * @param byRelation what is of one, by its number as footprints have it
 */
record HiddenSql(Unseen anywhere, Map<String, Unseen> byRelation) {
    private static final String NOWHERE = "0";

    private static final String ALL = """
            WITH own AS (
              SELECT oid FROM pg_namespace WHERE nspname NOT IN ('pg_catalog', 'information_schema', 'cerrojo_explorer'))
            SELECT 0::oid, pg_get_functiondef(p.oid)
              FROM pg_proc p JOIN own ON own.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
             WHERE l.lanname NOT IN ('internal', 'c') AND p.prokind <> 'a' AND p.prorettype <> 'trigger'::regtype
            UNION ALL
            SELECT t.tgrelid, pg_get_functiondef(t.tgfoid) || pg_get_triggerdef(t.oid)
              FROM pg_trigger t
             WHERE NOT t.tgisinternal
            UNION ALL
            SELECT d.adrelid, pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d
            UNION ALL
            SELECT k.conrelid, pg_get_constraintdef(k.oid)
              FROM pg_constraint k JOIN own ON own.oid = k.connamespace
             WHERE k.contype = 'c'
            UNION ALL
            SELECT c.oid, pg_get_ruledef(r.oid)
              FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN own ON own.oid = c.relnamespace
             WHERE NOT EXISTS (
               SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
            UNION ALL
            SELECT p.polrelid, concat_ws(' ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
              FROM pg_policy p
            UNION ALL
            SELECT 0::oid, t.typdefault
              FROM pg_type t JOIN own ON own.oid = t.typnamespace
             WHERE t.typtype = 'd' AND t.typdefault IS NOT NULL""";

    /** Copies the map. */
    HiddenSql {
        byRelation = Map.copyOf(byRelation);
    }

    static HiddenSql of(Statement sql) throws SQLException {
        Map<String, Unseen> byRelation = new HashMap<>();
        try (ResultSet rows = sql.executeQuery(ALL)) {
            while (rows.next()) {
                byRelation.merge(
                        rows.getString(1), Unseen.in(String.valueOf(rows.getString(2)), ""), HiddenSql::either);
            }
        }
        byRelation.values().removeIf(unseen -> !unseen.anything() && !unseen.beginnings());
        Unseen anywhere = byRelation.remove(NOWHERE);
        return new HiddenSql(anywhere == null ? Unseen.in("", "") : anywhere, byRelation);
    }

    private static Unseen either(Unseen one, Unseen other) {
        return new Unseen(one.anything() || other.anything(), one.beginnings() || other.beginnings());
    }

    /** {@return what of it the steps of a run may have run; all of it where what they touched is not known} */
    Unseen in(Trace trace) {
        return ran(trace).reduce(anywhere, HiddenSql::either);
    }

    private Stream<Unseen> ran(Trace trace) {
        boolean unknown = trace.moves().isEmpty() || footprints(trace).anyMatch(Footprint::everything);
        Predicate<String> touched = relation -> footprints(trace)
                .anyMatch(footprint -> footprint.reads().contains(relation)
                        || footprint.writes().contains(relation));
        return byRelation.entrySet().stream()
                .filter(entry -> unknown || touched.test(entry.getKey()))
                .map(Map.Entry::getValue);
    }

    private static Stream<Footprint> footprints(Trace trace) {
        return trace.moves().stream().flatMap(move -> move.effects().stream()).map(Effect::footprint);
    }
}
