package dev.cerrojo.version;

import dev.cerrojo.internal.Interval;
import dev.cerrojo.tx.NestedTransactionException;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Removes what is old, a batch at a time, and leaves alone what somebody has locked. */
final class Purge {
    private static final System.Logger LOG = System.getLogger(Versions.class.getName());
    /** How long a {@link Versions} waits before it purges by itself, and then again. */
    static final Duration BETWEEN = Duration.ofHours(1);

    private static final int MOST = 1_000;

    private static final String VERSIONS = """
            WITH old AS MATERIALIZED (
              SELECT v.entity, v.entity_key, v.version
              FROM {version} AS v
              JOIN {head} AS h ON h.entity = v.entity AND h.entity_key = v.entity_key
              WHERE v.changed_at < clock_timestamp() - ?::bigint * interval '1 second' AND v.version <= h.version - ?
              ORDER BY v.changed_at
              LIMIT ? FOR UPDATE OF v SKIP LOCKED
            ), removed AS (
              DELETE FROM {version} AS v USING old
              WHERE v.entity = old.entity AND v.entity_key = old.entity_key AND v.version = old.version
              RETURNING true
            )
            SELECT count(*) FROM removed""";

    private static final String LOG_ENTRIES = """
            WITH old AS MATERIALIZED (
              SELECT l.id FROM {log} AS l
              WHERE l.changed_at < clock_timestamp() - ?::bigint * interval '1 second'
              ORDER BY l.changed_at
              LIMIT ? FOR UPDATE SKIP LOCKED
            ), removed AS (
              DELETE FROM {log} AS l USING old WHERE l.id = old.id RETURNING true
            )
            SELECT count(*) FROM removed""";

    private final Transactions transactions;
    private final VersionTables tables;
    private final Retention retention;
    private final Interval interval;

    Purge(Transactions transactions, VersionTables tables, Retention retention, Duration between) {
        this.transactions = transactions;
        this.tables = tables;
        this.retention = retention;
        this.interval = new Interval(between);
    }

    /** {@return how many rows it removed} */
    int now() {
        return versions() + logEntries();
    }

    private int versions() {
        return removed(tables.sql(VERSIONS), retention.versionAge().toSeconds(), retention.versionsKept(), (long) MOST);
    }

    private int logEntries() {
        return removed(tables.sql(LOG_ENTRIES), retention.logAge().toSeconds(), (long) MOST);
    }

    private int removed(String sql, Object... bound) {
        return transactions.call(tx -> removed(tx, sql, bound));
    }

    private static int removed(Transaction tx, String sql, Object... bound) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement(sql)) {
            for (int i = 0; i < bound.length; i++) {
                statement.setObject(i + 1, bound[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** By whoever records, once that is committed, so that nobody needs to be asked to. */
    void sometimesAfter(Transaction tx) {
        if (retention.automatic() && interval.isOver()) {
            try {
                tx.afterCommit(this::quietly);
            } catch (NestedTransactionException nobodyTells) {
                interval.retry();
            }
        }
    }

    /** What is committed by then has nothing to do with it. */
    private void quietly() {
        try {
            LOG.log(System.Logger.Level.DEBUG, "{0} old versions and log entries were purged", now());
        } catch (RuntimeException failure) {
            LOG.log(System.Logger.Level.DEBUG, "old versions could not be purged, which is tried again", failure);
        }
    }
}
