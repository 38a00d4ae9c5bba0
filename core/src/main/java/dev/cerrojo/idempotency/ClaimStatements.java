package dev.cerrojo.idempotency;

import dev.cerrojo.internal.Template;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The statements of a table of claims.
 *
 * <p><b>Claiming</b> is one INSERT … ON CONFLICT DO UPDATE: the unique key lets one of two through and has the other wait for the end of
 * that one's transaction; then the condition of the UPDATE is looked at on the row as it is then, locked. Above READ COMMITTED a row
 * that the snapshot does not show is refused with 40001 instead. How long is waited is bounded by {@code lock_timeout}, which is as it
 * was before when the statement is over.
 *
 * <p><b>Taking over</b> is that same UPDATE: its condition compares state and time under the row's lock, so that of two who find a stale
 * claim the second one finds a fresh one. <b>Settling and renewing</b> compare the token. Time is {@code clock_timestamp()}.
 */
final class ClaimStatements {
    private static final Template CLAIM = new Template("""
            WITH p AS MATERIALIZED (
              SELECT {keyplaces}, ?::bytea AS request_hash, ?::uuid AS claim, ?::bigint * interval '1 microsecond' AS claim_for,
                ?::bigint * interval '1 microsecond' AS retention, ?::text AS takeover,
                current_setting('lock_timeout') AS lock_timeout, set_config('lock_timeout', ?, true)
            ), claimed AS (
              INSERT INTO {table} AS t ({key}, request_hash, status, claim, claimed_until, claims, expires_at)
              SELECT {keyofp}, request_hash, 'PENDING', claim, clock_timestamp() + claim_for, 1,
                CASE takeover WHEN 'ASK' THEN 'infinity' ELSE clock_timestamp() + claim_for + retention END
              FROM p
              ON CONFLICT ({key}) DO UPDATE SET
                request_hash = excluded.request_hash, status = excluded.status, claim = excluded.claim,
                claimed_until = clock_timestamp() + (SELECT claim_for FROM p),
                claims = CASE t.status WHEN 'PENDING' THEN t.claims + (t.claim <> excluded.claim)::int ELSE 1 END,
                created_at = clock_timestamp(), expires_at = excluded.expires_at, failure = NULL{noresult}
              WHERE CASE t.status
                WHEN 'PENDING' THEN t.request_hash = excluded.request_hash
                  AND (t.claim = excluded.claim
                    OR t.claimed_until <= clock_timestamp() AND (SELECT takeover FROM p) = 'RUN_AGAIN')
                ELSE t.expires_at <= clock_timestamp() END
              RETURNING claims
            )
            SELECT claims, set_config('lock_timeout', lock_timeout, true) FROM p LEFT JOIN claimed ON true""");

    private static final Template FIND = new Template("""
            SELECT status, request_hash, claim, failure, claimed_until <= clock_timestamp() AS stale,
              (extract(epoch FROM claimed_until - clock_timestamp()) * 1000000)::bigint AS held_for{result}
            FROM {table} WHERE {samekey} AND (status = 'PENDING' OR expires_at > clock_timestamp())""");

    private static final Template GIVE_UP = new Template("""
            UPDATE {table} SET status = 'FAILED', failure = ?, expires_at = clock_timestamp() + ?::bigint * interval '1 microsecond'
            WHERE {samekey} AND claim = ?::uuid AND status = 'PENDING' AND claimed_until <= clock_timestamp() RETURNING true""");

    /** The retention counts from the last sign of life; 'infinity' stays so. */
    private static final Template RENEW = new Template("""
            UPDATE {table} SET claimed_until = until, expires_at = expires_at + (until - claimed_until)
            FROM (SELECT clock_timestamp() + ?::bigint * interval '1 microsecond' AS until) AS renewed
            WHERE {samekey} AND claim = ?::uuid AND status = 'PENDING' RETURNING true""");

    private static final Template COMPLETE = new Template("""
            UPDATE {table} SET status = 'COMPLETED', failure = NULL,
              expires_at = clock_timestamp() + ?::bigint * interval '1 microsecond'{setresult}
            WHERE {samekey} AND claim = ?::uuid AND status IN ('PENDING', 'COMPLETED') RETURNING true""");

    private static final Template FAIL = new Template("""
            UPDATE {table} SET status = 'FAILED', failure = coalesce(failure, ?),
              expires_at = clock_timestamp() + ?::bigint * interval '1 microsecond'
            WHERE {samekey} AND claim = ?::uuid AND status IN ('PENDING', 'FAILED') RETURNING true""");

    private static final Template FORGET = new Template(
            "DELETE FROM {table} WHERE {samekey} AND claim = ?::uuid AND status = 'PENDING' RETURNING true");

    private static final Template ABANDON = new Template("""
            UPDATE {table} SET claimed_until = least(claimed_until, clock_timestamp())
            WHERE {samekey} AND claim = ?::uuid AND status = 'PENDING' RETURNING true""");

    private static final Template STUCK = new Template("""
            SELECT concat_ws('/', {key}) AS key, claim, claims,
              (extract(epoch FROM clock_timestamp() - claimed_until) * 1000000)::bigint AS since
            FROM {table} WHERE status = 'PENDING' AND claimed_until <= clock_timestamp() ORDER BY claimed_until LIMIT ?""");

    /** The rows are locked, and looked at again with that; those that others have locked are left to them. */
    private static final Template PURGE = new Template("""
            WITH over AS MATERIALIZED (
              SELECT {key}, claim FROM {table}
              WHERE expires_at < 'infinity' AND expires_at <= clock_timestamp()
                AND (status <> 'PENDING' OR claimed_until <= clock_timestamp())
              ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED
            ), removed AS (
              DELETE FROM {table} AS t USING over WHERE {sameasover} AND t.claim = over.claim RETURNING true
            )
            SELECT count(*) FROM removed""");

    final String claim;
    final String find;
    final String giveUp;
    final String renew;
    final String complete;
    final String fail;
    final String forget;
    final String abandon;
    final String stuck;
    final String purge;

    private ClaimStatements(Map<String, String> places) {
        claim = CLAIM.fill(places);
        find = FIND.fill(places);
        giveUp = GIVE_UP.fill(places);
        renew = RENEW.fill(places);
        complete = COMPLETE.fill(places);
        fail = FAIL.fill(places);
        forget = FORGET.fill(places);
        abandon = ABANDON.fill(places);
        stuck = STUCK.fill(places);
        purge = PURGE.fill(places);
    }

    /**
     * {@return the statements of a table}
     *
     * @param key its columns that are the key
     * @param result its columns that are kept of work that is done, as {@code name type}
     */
    static ClaimStatements of(String table, List<String> key, Map<String, String> result) {
        return new ClaimStatements(Map.of(
                "table",
                table,
                "key",
                String.join(", ", key),
                "keyplaces",
                joined(key, "?::text AS %s", ", "),
                "keyofp",
                joined(key, "p.%s", ", "),
                "samekey",
                joined(key, "%s = ?", " AND "),
                "sameasover",
                joined(key, "t.%1$s = over.%1$s", " AND "),
                "result",
                joined(result.keySet().stream().toList(), ", %s", ""),
                "noresult",
                joined(result.keySet().stream().toList(), ", %s = NULL", ""),
                "setresult",
                result.entrySet().stream()
                        .map(column -> ", %1$s = CASE status WHEN 'PENDING' THEN ?::%2$s ELSE %1$s END"
                                .formatted(column.getKey(), column.getValue()))
                        .collect(Collectors.joining())));
    }

    private static String joined(List<String> columns, String form, String between) {
        return columns.stream().map(form::formatted).collect(Collectors.joining(between));
    }
}
