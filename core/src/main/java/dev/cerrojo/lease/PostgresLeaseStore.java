package dev.cerrojo.lease;

import dev.cerrojo.lease.LeaseSql.TextArray;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Leases in PostgreSQL.
 *
 * <p><b>One row per entity</b> says who holds what of it, and each operation is one UPDATE of that row: its lock puts all of them in
 * order, and at READ COMMITTED the conditions are looked at again once the lock is had, on the row as it is then. Above READ
 * COMMITTED a row that changed meanwhile is refused with 40001, and the statement is run again. Time is {@code clock_timestamp()},
 * read after the wait for the lock.
 *
 * <p><b>Tokens</b> come from one sequence, drawn by that UPDATE: so no later one is lower, whatever rows are removed. The sequence's
 * value is as durable as the row, because both are in one commit, which is durable even where {@code synchronous_commit} is off.
 *
 * <p><b>The fence</b> is raised in the same statement. A former holder's open transaction has locked it; then nothing is taken (the
 * statement fails at once, and waits for no lock but the entity's), since what that transaction writes must be visible to who holds
 * the lease next. It has rows of its own, so that a renewal never waits for
 * the holder's own transaction.
 *
 * <p><b>What a statement reads besides the row</b> is of its snapshot, from before the wait for the row's lock. So it takes effect only
 * when the row's token is still that of the snapshot: nobody has acquired anything of the entity meanwhile.
 */
final class PostgresLeaseStore implements LeaseStore {
    /** The parameters come once, as a row. */
    private static final String PARAMETERS = """
            WITH p AS NOT MATERIALIZED (
              SELECT ?::text AS entity, ?::text[] AS groups, ?::uuid AS owner, ?::bigint * interval '1 microsecond' AS duration
            )""";

    private static final String EXCLUDES = """
            h.owner <> p.owner AND h.until > clock_timestamp()
              AND (p.groups = '{}' OR h.field_group = '' OR h.field_group = ANY (p.groups))""";

    private static final String ACQUIRE = PARAMETERS + """
            , seen AS MATERIALIZED (
              SELECT l.token, (SELECT max(h.until) FROM unnest(l.holds) AS h WHERE %1$s) AS held_until
              FROM {lease} AS l, p WHERE l.entity = p.entity
            ), made AS (
              INSERT INTO {lease} AS l (entity, token, holds)
              SELECT p.entity, n, %2$s
              FROM p, {nexttoken} AS n
              WHERE NOT EXISTS (SELECT FROM seen)
              ON CONFLICT (entity) DO NOTHING
              RETURNING l.token
            ), changed AS (
              UPDATE {lease} AS l
              SET (token, holds, changed_at) = (
                SELECT n, ARRAY(SELECT h FROM unnest(l.holds) AS h
                                WHERE h.owner <> p.owner AND h.until > clock_timestamp()) || %2$s, clock_timestamp()
                FROM {nexttoken} AS n)
              FROM p
              WHERE l.entity = p.entity AND l.token = (SELECT token FROM seen)
                AND NOT EXISTS (SELECT FROM unnest(l.holds) AS h WHERE %1$s)
              RETURNING l.token
            ), taken AS (
              SELECT token FROM made UNION ALL SELECT token FROM changed
            ), free AS MATERIALIZED (
              SELECT FROM {fence} AS f, taken, p
              WHERE f.entity = p.entity AND (p.groups = '{}' OR f.field_group = '' OR f.field_group = ANY (p.groups))
              FOR NO KEY UPDATE OF f NOWAIT
            ), raised AS (
              INSERT INTO {fence} AS f (entity, field_group, token, kept_until)
              SELECT p.entity, g, taken.token, clock_timestamp() + p.duration + interval '1 hour'
              FROM taken, p, unnest('{""}'::text[] || p.groups) AS g
              WHERE (SELECT count(*) FROM free) >= 0
              ON CONFLICT (entity, field_group) DO UPDATE SET token = EXCLUDED.token, kept_until = EXCLUDED.kept_until
            ), dropped AS (
              DELETE FROM {fence} AS f USING taken, p
              WHERE p.groups = '{}' AND f.entity = p.entity AND f.field_group <> '' AND (SELECT count(*) FROM free) >= 0
            )
            SELECT (SELECT token FROM taken) AS token, {durable} AS durable,
              (SELECT (extract(epoch FROM held_until - clock_timestamp()) * 1000000)::bigint FROM seen) AS held_for\
            """.formatted(EXCLUDES, """
            ARRAY(SELECT ROW(g, p.owner, n, clock_timestamp() + p.duration)::{hold}
                  FROM unnest(CASE WHEN p.groups = '{}' THEN '{""}' ELSE p.groups END) AS g)""");

    private static final String RENEW = PARAMETERS + """
            UPDATE {lease} AS l
            SET holds = ARRAY(SELECT CASE WHEN h.owner = p.owner
                                THEN ROW(h.field_group, h.owner, h.token, clock_timestamp() + p.duration)::{hold} ELSE h END
                              FROM unnest(l.holds) AS h)
            FROM p
            WHERE l.entity = p.entity
              AND EXISTS (SELECT FROM unnest(l.holds) AS h WHERE h.owner = p.owner AND h.until > clock_timestamp())
            RETURNING true""";

    private static final String RELEASE = PARAMETERS + """
            , released AS (
              UPDATE {lease} AS l
              SET holds = ARRAY(SELECT h FROM unnest(l.holds) AS h WHERE h.owner <> p.owner), changed_at = clock_timestamp()
              FROM p
              WHERE l.entity = p.entity
                AND EXISTS (SELECT FROM unnest(l.holds) AS h WHERE h.owner = p.owner AND h.until > clock_timestamp())
              RETURNING l.entity, l.awaited_until
            )
            SELECT CASE WHEN awaited_until > clock_timestamp() THEN pg_notify('cerrojo_lease', entity)::text END FROM released""";

    private static final String AWAIT = """
            UPDATE {lease} SET awaited_until = greatest(awaited_until, clock_timestamp() + ?::bigint * interval '1 microsecond')
            WHERE entity = ? RETURNING true""";

    private static final String PURGE = """
            WITH idle AS MATERIALIZED (
              SELECT l.entity FROM {lease} AS l
              WHERE l.changed_at < clock_timestamp() - interval '1 hour' AND NOT EXISTS (
                SELECT FROM unnest(l.holds) AS h WHERE h.until > clock_timestamp() - interval '1 hour')
              LIMIT ? FOR UPDATE SKIP LOCKED
            ), removed AS (
              DELETE FROM {lease} AS l USING idle WHERE l.entity = idle.entity RETURNING true
            )
            SELECT count(*) FROM removed""";

    /** How long who finds a fence locked waits before another attempt: nobody tells when that transaction ends. */
    private static final Duration FENCE_BUSY = Duration.ofMillis(20);

    private static final int MOST_PURGED = 1000;

    private final LeaseSql sql;
    private final Fences fences;
    private final String acquire;
    private final String renew;
    private final String release;
    private final ReleaseListener listener;

    PostgresLeaseStore(DataSource dataSource, LeaseTables tables) {
        this.sql = new LeaseSql(dataSource, tables);
        this.fences = Fences.besideLeases(dataSource, tables);
        this.acquire = tables.sql(ACQUIRE);
        this.renew = tables.sql(RENEW);
        this.release = tables.sql(RELEASE);
        this.listener = new ReleaseListener(dataSource);
    }

    /** {@return the fences that each acquisition raises} */
    Fences fences() {
        return fences;
    }

    @Override
    public LeaseAttempt tryAcquire(LeaseClaim claim, Duration leaseDuration) {
        return BriefRetry.of(() -> attempt(claim, leaseDuration)).orElse(new LeaseAttempt.Refused(Duration.ZERO));
    }

    /** {@return what came of it; empty when somebody else has acquired something of the entity meanwhile} */
    private Optional<LeaseAttempt> attempt(LeaseClaim claim, Duration leaseDuration) {
        return sql.tryQuery(
                        "acquiring a lease of " + claim.entity(),
                        acquire,
                        rows -> outcome(rows, leaseDuration),
                        parameters(claim, leaseDuration))
                .orElse(Optional.of(new LeaseAttempt.Refused(FENCE_BUSY)));
    }

    private static Optional<LeaseAttempt> outcome(ResultSet rows, Duration leaseDuration) throws SQLException {
        rows.next();
        long token = rows.getLong("token");
        if (!rows.wasNull()) {
            return Optional.of(new LeaseAttempt.Granted(token, leaseDuration));
        }
        long heldFor = rows.getLong("held_for");
        return rows.wasNull()
                ? Optional.empty()
                : Optional.of(new LeaseAttempt.Refused(Duration.of(heldFor, ChronoUnit.MICROS)));
    }

    @Override
    public Optional<Duration> renew(LeaseClaim claim, Duration leaseDuration) {
        boolean renewed = sql.query(
                "renewing the lease of " + claim.entity(), renew, ResultSet::next, parameters(claim, leaseDuration));
        return renewed ? Optional.of(leaseDuration) : Optional.empty();
    }

    @Override
    public boolean release(LeaseClaim claim) {
        return sql.query(
                "releasing the lease of " + claim.entity(), release, ResultSet::next, parameters(claim, Duration.ZERO));
    }

    /** First has it noted that somebody waits: who releases tells nobody else, since that would make all commits wait for each other. */
    @Override
    public ReleaseWatch watch(String entity, Duration upTo, Runnable hint) {
        sql.query(
                "watching the lease of " + entity,
                sql.tables().sql(AWAIT),
                LeaseSql::rows,
                LeaseSql.micros(upTo),
                entity);
        return listener.watch(entity, hint);
    }

    @Override
    public int purge() {
        return sql.query("purging leases", sql.tables().sql(PURGE), LeaseSql::count, MOST_PURGED) + fences.purge();
    }

    private static @Nullable Object[] parameters(LeaseClaim claim, Duration duration) {
        return new Object[] {claim.entity(), new TextArray(claim.groups()), claim.owner(), LeaseSql.micros(duration)};
    }

    @Override
    public void close() {
        listener.close();
    }
}
