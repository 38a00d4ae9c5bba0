package dev.cerrojo.version;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.ActorSetting;
import dev.cerrojo.internal.Identifiers;
import java.util.Map;

/**
 * The one statement that records changes, for triggers and for the application.
 *
 * <p><b>A version</b> is numbered by updating the entity's row of the head table, whose lock is held until the transaction ends: of two
 * savers the second waits, then counts on from what the first has committed; above READ COMMITTED it is refused with 40001. A save that is
 * rolled back takes its number back with it. So numbers are unique and without gaps. Heads are taken in the order of their keys.
 *
 * <p><b>One transaction makes one row</b> of an entity, a version or a log entry: what it records later is joined with what it has recorded.
 * A field keeps its first {@code before} and gets the last {@code after}; one that is back at where it was is left out, and a row without
 * any field is removed, with its number. A statement that a trigger runs within another is recorded before that one: such a pair is told
 * by its values and by the time, which is that of one statement of the client's, and joined the other way round.
 *
 * <p><b>Look-ups</b> go by index for each entity (LIMIT, ON CONFLICT, ctid), whatever the plan was made for: in a trigger it is made once, for
 * the first statement of a session.
 */
final class RecordSql {
    /** Who writes, for people. */
    static final String WHO = "cerrojo.who";

    private static final String RECORD = """
            WITH act AS MATERIALIZED (
              SELECT {actor} <> 'system' AND coalesce(current_setting('{suppressed}', true), '') = '' AS versioned,
                coalesce(nullif(current_setting('{who}', true), ''), session_user) AS who,
                pg_current_xact_id() AS transaction_id, transaction_timestamp() AS began
            ), written AS MATERIALIZED (
              {source}
            ), own AS MATERIALIZED (
              SELECT w.entity, w.entity_key, w.before, w.after, r.version, r.changes, r.place, r.changed_at
              FROM written AS w
              CROSS JOIN act AS a
              LEFT JOIN LATERAL (
                (SELECT v.version, v.changes, v.ctid AS place, v.changed_at
                 FROM {head} AS h
                 JOIN {version} AS v ON v.entity = h.entity AND v.entity_key = h.entity_key AND v.version = h.version
                 WHERE a.versioned AND h.entity = w.entity AND h.entity_key = w.entity_key
                   AND h.transaction_id = a.transaction_id AND h.began = a.began
                 LIMIT 1)
                UNION ALL
                (SELECT NULL, l.changes, l.ctid, l.changed_at
                 FROM {log} AS l
                 WHERE NOT a.versioned AND l.entity = w.entity AND l.entity_key = w.entity_key
                   AND l.transaction_id = a.transaction_id AND l.began = a.began
                 LIMIT 1)
              ) AS r ON true
            ), net AS MATERIALIZED (
              SELECT o.entity, o.entity_key, o.version, o.place, c.changes
              FROM own AS o
              CROSS JOIN LATERAL (
                SELECT jsonb_object_agg(f.field, CASE
                    WHEN f.before IS NULL THEN jsonb_build_object('after', f.after)
                    WHEN f.after IS NULL THEN jsonb_build_object('before', f.before)
                    ELSE jsonb_build_object('before', f.before, 'after', f.after) END) AS changes
                FROM (
                  SELECT j.field,
                    CASE WHEN j.recorded IS NULL OR j.earlier THEN j.before ELSE j.recorded -> 'before' END AS before,
                    CASE WHEN j.written AND NOT j.earlier THEN j.after ELSE j.recorded -> 'after' END AS after
                  FROM (
                    SELECT coalesce(r.key, n.key) AS field, r.value AS recorded, n.key IS NOT NULL AS written, n.before, n.after,
                      r.key IS NOT NULL AND n.key IS NOT NULL AND r.value -> 'after' IS DISTINCT FROM n.before
                        AND r.value -> 'before' IS NOT DISTINCT FROM n.after
                        AND o.changed_at >= statement_timestamp() AS earlier
                    FROM jsonb_each(o.changes) AS r
                    FULL JOIN (
                      SELECT coalesce(b.key, a.key) AS key, b.value AS before, a.value AS after
                      FROM jsonb_each(o.before) AS b
                      FULL JOIN jsonb_each(o.after) AS a ON a.key = b.key
                      WHERE b.value IS DISTINCT FROM a.value
                    ) AS n ON n.key = r.key
                  ) AS j
                ) AS f
                WHERE f.before IS DISTINCT FROM f.after
              ) AS c
              WHERE c.changes IS NOT NULL OR o.place IS NOT NULL
            ), numbered AS (
              INSERT INTO {head} AS h (entity, entity_key, version, transaction_id, began)
              SELECT n.entity, n.entity_key, CASE WHEN n.changes IS NULL THEN 0 ELSE 1 END,
                CASE WHEN n.changes IS NOT NULL THEN a.transaction_id END, a.began
              FROM net AS n
              CROSS JOIN act AS a
              WHERE a.versioned AND (n.version IS NULL OR n.changes IS NULL)
              ORDER BY n.entity, n.entity_key
              ON CONFLICT (entity, entity_key) DO UPDATE SET
                version = h.version + CASE WHEN EXCLUDED.version = 0 THEN -1
                  WHEN h.transaction_id = EXCLUDED.transaction_id AND h.began = EXCLUDED.began THEN 0 ELSE 1 END,
                transaction_id = EXCLUDED.transaction_id, began = EXCLUDED.began
              RETURNING h.entity, h.entity_key, h.version
            ), versions AS (
              INSERT INTO {version} AS v (entity, entity_key, version, changed_by, changed_at, changes)
              SELECT n.entity, n.entity_key, coalesce(n.version, h.version), a.who, clock_timestamp(), n.changes
              FROM net AS n
              CROSS JOIN act AS a
              LEFT JOIN numbered AS h ON h.entity = n.entity AND h.entity_key = n.entity_key
              WHERE a.versioned AND n.changes IS NOT NULL
              ON CONFLICT (entity, entity_key, version) DO UPDATE SET
                changed_by = EXCLUDED.changed_by, changed_at = EXCLUDED.changed_at, changes = EXCLUDED.changes
              RETURNING v.entity, v.entity_key, v.version
            ), emptied_versions AS (
              DELETE FROM {version} AS v
              WHERE v.ctid = ANY (ARRAY(
                SELECT n.place FROM net AS n CROSS JOIN act AS a WHERE a.versioned AND n.changes IS NULL))
            ), entries AS (
              INSERT INTO {log} AS l (entity, entity_key, changed_by, changed_at, changes, transaction_id, began)
              SELECT n.entity, n.entity_key, a.who, clock_timestamp(), n.changes, a.transaction_id, a.began
              FROM net AS n
              CROSS JOIN act AS a
              WHERE NOT a.versioned AND n.changes IS NOT NULL
              ORDER BY n.entity, n.entity_key
              ON CONFLICT (entity, entity_key, transaction_id, began) DO UPDATE SET
                changed_by = EXCLUDED.changed_by, changed_at = EXCLUDED.changed_at, changes = EXCLUDED.changes
            ), emptied_entries AS (
              DELETE FROM {log} AS l
              WHERE l.ctid = ANY (ARRAY(
                SELECT n.place FROM net AS n CROSS JOIN act AS a WHERE NOT a.versioned AND n.changes IS NULL))
            )
            {result}""";

    private RecordSql() {}

    /**
     * {@return the statement}
     *
     * @param source a query of {@code entity}, {@code entity_key}, and {@code before} and {@code after} as JSON objects of fields, NULL
     *     where there is none; one row per entity
     * @param unsaid who acts in a transaction that does not say so
     * @param result what follows WITH: a query, which may read {@code versions(entity, entity_key, version)}
     */
    static String of(VersionTables tables, String source, Actor unsaid, String result) {
        return tables.sql(
                RECORD,
                Map.of(
                        "actor",
                        "coalesce(%s, %s)".formatted(ActorSetting.EXPRESSION, Identifiers.quoteLiteral(unsaid.label())),
                        "suppressed",
                        Suppression.SETTING,
                        "who",
                        WHO,
                        "source",
                        source,
                        "result",
                        result));
    }
}
