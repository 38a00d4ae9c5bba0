package dev.cerrojo.lease;

import dev.cerrojo.lease.LeaseSql.TextArray;
import dev.cerrojo.tx.Transaction;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * The fences of leases, in PostgreSQL, where the protected data is: the newest acquisition of each entity and group. They work with
 * leases of any store, and their tokens are drawn from PostgreSQL, so that a store that loses its memory does no harm.
 *
 * <pre>{@code
 * Leases leases = Leases.over(store, settings, Fences.over(dataSource));
 * }</pre>
 *
 * <p><b>How it holds.</b> Each acquisition draws a token from a sequence and writes it as the newest one of what it is about. A fenced
 * transaction first writes these rows again, on the condition that the token in them is its own; so they stay locked until it ends, and
 * an acquisition that comes meanwhile waits, and then sees what was committed. Of two acquisitions that exclude each other, only the
 * later one can pass from then on. A missing row is passed by nobody: that is why rows can be removed.
 *
 * <p>Safe for use by several threads.
 */
public final class Fences {
    /** The row of the entity is written by every acquisition in it, so its lock puts them in order. */
    private static final String RAISE = """
            WITH p AS NOT MATERIALIZED (
              SELECT ?::text AS entity, ?::text[] AS groups, ?::bigint * interval '1 microsecond' AS kept
            ), seen AS MATERIALIZED (
              SELECT f.token FROM {fence} AS f, p WHERE f.entity = p.entity AND f.field_group = ''
            ), free AS MATERIALIZED (
              SELECT FROM {fence} AS f, p
              WHERE f.entity = p.entity AND (p.groups = '{}' OR f.field_group = '' OR f.field_group = ANY (p.groups))
              FOR NO KEY UPDATE OF f NOWAIT
            ), made AS (
              INSERT INTO {fence} AS f (entity, field_group, token, kept_until)
              SELECT p.entity, '', n, clock_timestamp() + p.kept
              FROM p, {nexttoken} AS n
              WHERE NOT EXISTS (SELECT FROM seen) AND (SELECT count(*) FROM free) >= 0
              ON CONFLICT (entity, field_group) DO NOTHING
              RETURNING f.token
            ), changed AS (
              UPDATE {fence} AS f SET (token, kept_until) = (SELECT n, clock_timestamp() + p.kept FROM {nexttoken} AS n)
              FROM p
              WHERE f.entity = p.entity AND f.field_group = '' AND f.token = (SELECT token FROM seen)
                AND (SELECT count(*) FROM free) >= 0
              RETURNING f.token
            ), taken AS (
              SELECT token FROM made UNION ALL SELECT token FROM changed
            ), raised AS (
              INSERT INTO {fence} AS f (entity, field_group, token, kept_until)
              SELECT p.entity, g, taken.token, clock_timestamp() + p.kept
              FROM taken, p, unnest(p.groups) AS g
              ON CONFLICT (entity, field_group) DO UPDATE SET token = EXCLUDED.token, kept_until = EXCLUDED.kept_until
            ), dropped AS (
              DELETE FROM {fence} AS f USING taken, p
              WHERE p.groups = '{}' AND f.entity = p.entity AND f.field_group <> ''
            )
            SELECT token, {durable} AS durable FROM taken""";

    /** Writes the rows even though nothing changes: above READ COMMITTED only a write is refused when the row has changed. */
    private static final String PASS = """
            UPDATE {fence} AS f SET kept_until = greatest(f.kept_until, clock_timestamp() + p.kept)
            FROM (
              SELECT p.entity, p.field_group, p.token, ?::bigint * interval '1 microsecond' AS kept, ?::bigint AS idle
              FROM unnest(?::text[], ?::text[], ?::text[]::bigint[]) AS p (entity, field_group, token)
            ) AS p
            WHERE f.entity = p.entity AND f.field_group = p.field_group AND f.token = p.token
            RETURNING set_config('idle_in_transaction_session_timeout', (1000 * extract(epoch FROM least(
              nullif(current_setting('idle_in_transaction_session_timeout')::interval, interval '0'),
              p.idle * interval '1 millisecond')))::bigint::text, true)""";

    /** The row of the entity stays while there are rows of groups: whoever raises one of these must meet it. */
    private static final String DROP = """
            DELETE FROM {fence} AS f WHERE (f.entity, f.field_group) IN (
              SELECT g.entity, g.field_group FROM {fence} AS g WHERE g.entity = ? AND g.token = ?::bigint
                AND (g.field_group <> '' OR NOT EXISTS (
                  SELECT FROM {fence} AS o WHERE o.entity = g.entity AND o.token <> g.token))
              FOR UPDATE SKIP LOCKED)
            RETURNING true""";

    /** Whatever is held in the lease table keeps its fence; a row that is written meanwhile is kept longer by that. */
    private static final String PURGE = """
            WITH over AS MATERIALIZED (
              SELECT f.entity, f.field_group FROM {fence} AS f
              WHERE f.kept_until < clock_timestamp() AND NOT EXISTS (
                SELECT FROM {lease} AS l, unnest(l.holds) AS h
                WHERE l.entity = f.entity AND h.until > clock_timestamp())
                AND (f.field_group <> '' OR NOT EXISTS (
                  SELECT FROM {fence} AS o WHERE o.entity = f.entity AND o.field_group <> ''))
              LIMIT ? FOR UPDATE OF f SKIP LOCKED
            ), removed AS (
              DELETE FROM {fence} AS f USING over
              WHERE (f.entity, f.field_group) = (over.entity, over.field_group) RETURNING true
            )
            SELECT count(*) FROM removed""";

    private static final int MOST_PURGED = 1000;

    private final LeaseSql sql;
    private final Duration kept;
    private final String raise;
    private final String pass;

    private Fences(DataSource dataSource, LeaseTables tables, Duration kept) {
        this.sql = new LeaseSql(dataSource, tables);
        this.kept = kept;
        this.raise = tables.sql(RAISE);
        this.pass = tables.sql(PASS);
    }

    /**
     * {@return the fences in the tables of {@link dev.cerrojo.schema.Schema}, schema {@code cerrojo}}
     *
     * <p>The data source is used to raise fences, outside of the user's transactions. A fence that no transaction has passed for a day may
     * be removed; then nobody passes it until the next acquisition.
     */
    public static Fences over(DataSource dataSource) {
        return new Fences(dataSource, LeaseTables.DEFAULT, Duration.ofDays(1));
    }

    /** {@return fences of leases that are in the same database, which keep them while they are held} */
    static Fences besideLeases(DataSource dataSource, LeaseTables tables) {
        return new Fences(dataSource, tables, Duration.ofHours(1));
    }

    /**
     * Draws a token and raises the fence to it, in one step.
     *
     * @return the token; empty when a fenced transaction of a former holder is open, or another acquisition is at it
     * @throws LeaseStoreException when PostgreSQL cannot be reached or does not answer
     */
    OptionalLong raise(LeaseClaim claim) {
        return sql.tryQuery(
                        "raising the fence of " + claim.entity(),
                        raise,
                        LeaseSql::token,
                        claim.entity(),
                        new TextArray(claim.groups()),
                        LeaseSql.micros(kept))
                .orElse(OptionalLong.empty());
    }

    /**
     * Locks the rows of a lease until the transaction ends.
     *
     * @param idle how long the transaction may stand idle before PostgreSQL ends its session
     * @return whether all of them are there with the lease's tokens
     */
    boolean pass(Transaction transaction, Collection<Row> rows, Duration idle) throws SQLException {
        int passed = LeaseSql.read(
                transaction.connection(),
                pass,
                LeaseSql::rows,
                LeaseSql.micros(kept),
                idle.toMillis(),
                new TextArray(rows.stream().map(Row::entity).toList()),
                new TextArray(rows.stream().map(Row::group).toList()),
                new TextArray(
                        rows.stream().map(row -> Long.toString(row.token())).toList()));
        return passed == rows.size();
    }

    /** Removes the rows of an acquisition that is over, but for those that a transaction has locked. */
    void drop(LeaseClaim claim, long token) {
        sql.query(
                "dropping the fence of " + claim.entity(),
                sql.tables().sql(DROP),
                LeaseSql::rows,
                claim.entity(),
                token);
    }

    /** {@return how many rows were removed that nobody can need} */
    int purge() {
        return sql.query("purging fences", sql.tables().sql(PURGE), LeaseSql::count, MOST_PURGED);
    }

    /**
     * A row that a holder must pass.
     *
     * @param entity the entity
     * @param group the group; empty text for the whole entity
     * @param token the holder's
     */
    record Row(String entity, String group, long token) {
        static List<Row> of(LeaseClaim claim, long token) {
            List<String> groups = claim.isWhole() ? List.of("") : claim.groups();
            return groups.stream()
                    .map(group -> new Row(claim.entity(), group, token))
                    .toList();
        }
    }
}
