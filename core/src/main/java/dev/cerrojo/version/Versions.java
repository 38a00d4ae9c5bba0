package dev.cerrojo.version;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.ActorSetting;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * Versions of what editors save, and a log of what the system writes.
 *
 * <pre>{@code
 * Versions versions = Versions.over(dataSource);
 * VersionedTable articles = VersionedTable.of("article", "id").ignoring("updated_at");
 *
 * transactions.run(tx -> {
 *     versions.act(tx, Actor.EDITOR, "ana");
 *     versions.recording(tx, articles, 7, work -> rename(work, 7, "New title"));
 * });
 * Page<Version> history = versions.versionsOf(articles.entity(7), 20);
 * }</pre>
 *
 * <p><b>What is recorded.</b> All that one transaction changes in an entity is one version when an editor acts, and one log entry when
 * the system does, in the same transaction. What changes nothing, or is back at the end at where it was, is neither. Who says nothing is
 * taken for an editor: one version too many is seen, one too few is not.
 *
 * <p><b>Numbers</b> are 1, 2, … for each entity, without gaps: of two transactions that save one entity the second waits for the first; above
 * READ COMMITTED it is refused with 40001, which {@link Transactions} runs again. Log entries wait for nobody.
 *
 * <p><b>With triggers</b> on the table ({@link VersionTriggers}) nothing needs to be recorded by the application; if it is all the same, the two
 * make one row.
 *
 * <p>The tables are those of {@link dev.cerrojo.schema.Schema}, version 4. Immutable, for any number of threads.
 */
public final class Versions {
    private static final int LONGEST_NAME = 200;

    private final DataSource dataSource;
    private final VersionTables tables;
    private final Retention retention;
    private final Recording recording;
    private final History history;
    private final Purge purge;

    private Versions(DataSource dataSource, VersionTables tables, Retention retention) {
        Transactions transactions = Transactions.over(dataSource);
        this.dataSource = dataSource;
        this.tables = tables;
        this.retention = retention;
        this.recording = new Recording(tables);
        this.history = new History(transactions, tables);
        this.purge = new Purge(transactions, tables, retention, Purge.BETWEEN);
    }

    /** {@return versions in schema {@code cerrojo} of a database, kept as long as {@link Retention#defaults} says} */
    public static Versions over(DataSource dataSource) {
        return new Versions(
                Objects.requireNonNull(dataSource), new VersionTables(GuardTable.DEFAULT_SCHEMA), Retention.defaults());
    }

    /** {@return these with the tables in another schema} */
    public Versions withSchema(String schema) {
        return new Versions(dataSource, new VersionTables(schema), retention);
    }

    /** {@return these with another retention} */
    public Versions withRetention(Retention other) {
        return new Versions(dataSource, tables, other);
    }

    /**
     * Says who acts from here to the end of the transaction, to triggers and to what is recorded; one round trip, which takes no snapshot.
     * A rollback to a savepoint from before takes it back.
     *
     * @param actor whether it makes versions
     * @param who a name for people: of a user, a worker or a job; 1 to 200 characters
     * @throws SQLException when the statement fails
     */
    public void act(Transaction transaction, Actor actor, String who) throws SQLException {
        if (who.isBlank() || who.length() > LONGEST_NAME || who.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "who must be 1 to %d characters, but was \"%s\"".formatted(LONGEST_NAME, who));
        }
        try (Statement statement = transaction.connection().createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute("SET LOCAL %s = '%s'; SET LOCAL %s = %s"
                    .formatted(ActorSetting.NAME, actor.label(), RecordSql.WHO, Identifiers.quoteLiteral(who)));
        }
        purge.sometimesAfter(transaction);
    }

    /**
     * Runs work that writes a row, and records what it changed. Locks the row first (FOR NO KEY UPDATE); two round trips beside the
     * work. A row whose key the work changes is seen as deleted: record the new one by another call.
     *
     * @param key the value of the key; a {@link java.util.List} of them where it has several columns
     * @param work may insert, update or delete the row, in any number of statements
     * @return the number of the version; empty when there is none, since the system acts, or nothing was changed
     * @throws X what the work threw
     * @throws SQLException when a statement fails: 40001 above READ COMMITTED, when another has changed the row or saved the entity
     */
    public <X extends Exception> OptionalLong recording(
            Transaction transaction, VersionedTable table, Object key, TransactionAction<X> work)
            throws X, SQLException {
        OptionalLong number = recording.around(transaction, table, key, work);
        purge.sometimesAfter(transaction);
        return number;
    }

    /**
     * Records a change of an entity that is no row of one table, as the caller saw it. One round trip. Whoever reads what was before
     * must keep others from changing it meanwhile.
     *
     * @param before its fields as a JSON object; empty when it was made
     * @param after the same after the change; empty when it was deleted
     * @return the number of the version; empty when there is none, since the system acts, or nothing was changed
     * @throws SQLException when the statement fails
     */
    public OptionalLong record(Transaction transaction, Entity entity, Optional<String> before, Optional<String> after)
            throws SQLException {
        OptionalLong number = recording.record(transaction, entity, before, after);
        purge.sometimesAfter(transaction);
        return number;
    }

    /**
     * Begins a part of the transaction in which no versions are made. Two round trips; the second takes the snapshot of a transaction
     * above READ COMMITTED.
     *
     * @return what ends it: to be closed in the same transaction, else it ends with that
     * @throws SQLException when a statement fails
     */
    public Suppression suppress(Transaction transaction) throws SQLException {
        return Suppression.open(transaction.connection());
    }

    /** {@return the newest versions of an entity, at most 1,000} */
    public Page<Version> versionsOf(Entity entity, int limit) {
        return versionsOf(entity, limit, PageCursor.START);
    }

    /** {@return the versions of an entity that come after a page, the newest first, at most 1,000} */
    public Page<Version> versionsOf(Entity entity, int limit, PageCursor after) {
        return history.versions(entity, limit, after);
    }

    /** {@return the newest entries of an entity in the operation log, at most 1,000} */
    public Page<LogEntry> logOf(Entity entity, int limit) {
        return logOf(entity, limit, PageCursor.START);
    }

    /** {@return the entries of an entity in the operation log that come after a page, the newest first, at most 1,000} */
    public Page<LogEntry> logOf(Entity entity, int limit, PageCursor after) {
        return history.log(entity, limit, after);
    }

    /**
     * Removes what the {@link Retention} does not keep, at most 1,000 versions and 1,000 entries; what others have locked is left for the
     * next time. Several may do so at once.
     *
     * @return how many rows it removed; ask again while it is not 0
     */
    public int purge() {
        return purge.now();
    }
}
