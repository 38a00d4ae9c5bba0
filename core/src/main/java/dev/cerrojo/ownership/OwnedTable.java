package dev.cerrojo.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.ActorSetting;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Query;
import dev.cerrojo.internal.RowId;
import dev.cerrojo.tx.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of an entity as its ownership says: only the columns that are named, and each by the way of its owner.
 *
 * <pre>{@code
 * OwnedTable articles = OwnedTable.of(ownership);
 *
 * // an editor saves what was read as version 3
 * transactions.run(tx -> articles.write(tx, 42, Write.by(Actor.EDITOR).atVersion(3).set("title", "New title")));
 *
 * // a worker stores what it made of that version
 * transactions.run(tx -> articles.write(tx, 42, Write.by(Actor.SYSTEM).atVersion(3).set("embedding", embedding)));
 *
 * // either adds a tag
 * transactions.run(tx -> articles.write(tx, 42, Write.by(Actor.SYSTEM).merge("tags", asRead, List.of("news"))));
 * }</pre>
 *
 * <p><b>How it holds.</b> An editor's save is one statement, {@code UPDATE … WHERE key = ? AND version = ?}, as that of
 * {@code OptimisticTable}. All else first locks the row ({@code FOR NO KEY UPDATE}), compares the version and merges what it
 * then reads: nobody can write in between. At READ COMMITTED both wait for whoever is writing the row and then look at what that
 * one has committed; above it, PostgreSQL refuses with 40001, after which {@link dev.cerrojo.tx.Transactions} run again.
 *
 * <p>Each write first says who acts, for triggers: of {@link OwnershipTrigger}, and of versions. It is said until the transaction
 * ends or says otherwise.
 *
 * <p>Values are bound as {@link java.sql.PreparedStatement#setObject(int, Object)} takes them, text as the column's type reads it,
 * collections and arrays as arrays.
 *
 * <p>Immutable, for any number of threads.
 */
@SuppressWarnings("exports") // users need no JSpecify
public final class OwnedTable {
    private final Ownership ownership;

    private OwnedTable(Ownership ownership) {
        this.ownership = ownership;
    }

    /** {@return the table of an ownership} */
    public static OwnedTable of(Ownership ownership) {
        return new OwnedTable(ownership);
    }

    /**
     * Says to triggers who acts, from here to the end of the transaction: for what is written by other means, such as JPA. One
     * round trip, which takes no snapshot.
     *
     * @param connection of the transaction, which must be open
     * @throws SQLException when the statement fails
     */
    public static void actAs(Connection connection, Actor actor) throws SQLException {
        ActorSetting.say(connection, actor);
    }

    /**
     * Writes to a row. Takes its lock until the transaction ends.
     *
     * <p>An editor's save takes two round trips, other writes three, merges five; one more when nothing was changed.
     *
     * @param key the value of the key; a {@link List} of them where it has several columns
     * @param write who writes what
     * @return what came of it; a row that has all the values already is not written
     * @throws WrongActorException when a field is another's; nothing was sent
     * @throws IllegalArgumentException when a field is nobody's, a merge is not told what was read, or no version is said; nothing
     *     was sent
     * @throws dev.cerrojo.StaleVersionException when the row is at another version
     * @throws dev.cerrojo.RowGoneException when there is no such row
     * @throws dev.cerrojo.UpdateSuppressedException when a trigger, rule or policy kept the row as it was
     * @throws SQLException when a statement fails: 40001 above READ COMMITTED, when somebody else has changed the row
     */
    public Written write(Transaction transaction, Object key, Write write) throws SQLException {
        requireFit(write);
        RowId row = RowId.of(ownership.table(), ownership.key(), key);
        if (write.values().isEmpty()) {
            return new Written(false, write.version(), Map.of());
        }
        ActorSetting.say(transaction.connection(), write.actor());
        return isSave(write) ? save(transaction, row, write) : underLock(transaction, row, write);
    }

    private void requireFit(Write write) {
        ownership.requireWritable(write.actor(), write.values().keySet());
        write.values().forEach(this::requireMerge);
        boolean owned = write.values().keySet().stream().anyMatch(field -> !isShared(field));
        if (owned && ownership.version().isPresent() && write.version().isEmpty() && !write.anyVersion()) {
            throw new IllegalArgumentException(
                    "a write to fields of %s must say of which version it was made: atVersion(…) as it was read, or atAnyVersion()"
                            .formatted(ownership.table()));
        }
        if (ownership.version().isEmpty() && write.version().isPresent()) {
            throw new IllegalArgumentException(
                    "%s has no version to compare with: declare it, or leave out atVersion(…)"
                            .formatted(ownership.table()));
        }
    }

    private void requireMerge(String field, Write.Value value) {
        Optional<Merge> merge = Optional.ofNullable(ownership.merges().get(field));
        if (merge.filter(Merge::needsBase).isPresent() && !value.hasBase()) {
            throw new IllegalArgumentException(
                    "shared field %s of %s is merged by %s, which must know what was read: merge(\"%1$s\", asRead, value)"
                            .formatted(field, ownership.table(), merge.get()));
        }
        if (merge.isEmpty() && value.hasBase()) {
            throw new IllegalArgumentException(
                    "field %s of %s is not shared, so that there is nothing to merge: set(\"%1$s\", …)"
                            .formatted(field, ownership.table()));
        }
    }

    private boolean isShared(String field) {
        return ownership.merges().containsKey(field);
    }

    private boolean isSave(Write write) {
        return write.actor() == Actor.EDITOR
                && write.version().isPresent()
                && write.values().keySet().stream().noneMatch(this::isShared);
    }

    /** Leans on the row lock of UPDATE: at READ COMMITTED the condition is looked at again once the lock is had. */
    private Written save(Transaction transaction, RowId row, Write write) throws SQLException {
        OwnedUpdate update = new OwnedUpdate(ownership, row, write, plain(write));
        List<Map<String, @Nullable Object>> changed = update.atVersion().rows(transaction.connection());
        if (changed.size() > 1) {
            throw row.notUnique(changed.size());
        }
        return changed.isEmpty()
                ? underLock(transaction, row, write)
                : new Written(true, version(changed.get(0)), Map.of());
    }

    /** Leans on the row lock of SELECT … FOR NO KEY UPDATE: what is compared and merged stays so until the UPDATE. */
    private Written underLock(Transaction transaction, RowId row, Write write) throws SQLException {
        Map<String, @Nullable Object> present = lock(transaction, row, write);
        Optional<Long> version = version(present);
        if (write.version().isPresent() && !write.version().equals(version)) {
            throw row.stale(write.version().get(), version);
        }
        Map<String, @Nullable Object> merged = merged(present, write);
        List<ColumnValue> values = plain(write);
        merged.forEach((field, value) -> values.add(ColumnValue.of(field, value)));
        OwnedUpdate update = new OwnedUpdate(ownership, row, write, values);
        List<Map<String, @Nullable Object>> changed = run(transaction, update, !merged.isEmpty());
        if (!changed.isEmpty()) {
            return new Written(true, version(changed.get(0)), merged);
        }
        if (!update.stillDiffers().rows(transaction.connection()).isEmpty()) {
            throw row.suppressed(version);
        }
        return new Written(false, version, merged);
    }

    private Map<String, @Nullable Object> lock(Transaction transaction, RowId row, Write write) throws SQLException {
        List<String> read = new ArrayList<>(ownership.key());
        ownership.version().ifPresent(read::add);
        write.values().keySet().stream().filter(this::isShared).forEach(read::add);
        String sql = "SELECT %s FROM %s WHERE %s FOR NO KEY UPDATE"
                .formatted(
                        read.stream().map(Identifiers::quote).collect(Collectors.joining(", ")),
                        ownership.table(),
                        OwnedUpdate.isRow(ownership));
        List<Map<String, @Nullable Object>> rows =
                new Query(sql, new ArrayList<>(row.key())).rows(transaction.connection());
        if (rows.size() > 1) {
            throw row.notUnique(rows.size());
        }
        return rows.stream().findFirst().orElseThrow(row::gone);
    }

    private Map<String, @Nullable Object> merged(Map<String, @Nullable Object> present, Write write)
            throws SQLException {
        Map<String, @Nullable Object> merged = new LinkedHashMap<>();
        for (Map.Entry<String, Write.Value> entry : write.values().entrySet()) {
            Merge merge = ownership.merges().get(entry.getKey());
            if (merge != null) {
                Object now = ColumnValue.read(present.get(entry.getKey()));
                merged.put(
                        entry.getKey(),
                        merge.apply(
                                ColumnValue.read(entry.getValue().base()),
                                now,
                                ColumnValue.read(entry.getValue().proposed())));
            }
        }
        return merged;
    }

    private static List<Map<String, @Nullable Object>> run(Transaction transaction, OwnedUpdate update, boolean merging)
            throws SQLException {
        if (!merging) {
            return update.underLock().rows(transaction.connection());
        }
        MergingSetting.say(transaction.connection(), true);
        List<Map<String, @Nullable Object>> changed = update.underLock().rows(transaction.connection());
        MergingSetting.say(transaction.connection(), false);
        return changed;
    }

    private List<ColumnValue> plain(Write write) {
        List<ColumnValue> values = new ArrayList<>();
        write.values().forEach((field, value) -> {
            if (!isShared(field)) {
                values.add(ColumnValue.of(field, value.proposed()));
            }
        });
        return values;
    }

    private Optional<Long> version(Map<String, @Nullable Object> row) {
        return ownership
                .version()
                .map(row::get)
                .filter(Number.class::isInstance)
                .map(number -> ((Number) number).longValue());
    }
}
