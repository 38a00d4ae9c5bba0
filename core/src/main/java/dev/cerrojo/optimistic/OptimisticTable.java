package dev.cerrojo.optimistic;

import dev.cerrojo.RowGoneException;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.UpdateSuppressedException;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.Query;
import dev.cerrojo.internal.RowId;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table whose rows have a version, which each update compares and counts up: who has read an older one is refused, so that no
 * change is lost.
 *
 * <pre>{@code
 * OptimisticTable articles = OptimisticTable.of("article", "id", "version");
 *
 * // an editor saves what was read as version 3
 * transactions.run(tx -> articles.update(tx, 7, 3, Map.of("title", "New title")));
 *
 * // a change of whatever is there, made again when somebody else was faster
 * articles.change(transactions, 7, row -> Map.of("views", (Integer) row.get("views") + 1));
 * }</pre>
 *
 * <p><b>How it holds.</b> Comparing and changing is one statement, {@code UPDATE … WHERE key = ? AND version = ?}. At READ COMMITTED it
 * waits for whoever is changing the row, then compares with what that one has committed, and changes nothing. Above it, PostgreSQL
 * refuses to change what was changed since the snapshot, with 40001, which {@link Transactions} runs again. All writers must count the
 * version up: what others write without it is overwritten unseen.
 *
 * <p>The version is of any integer type, and yours to define, best as {@code bigint NOT NULL DEFAULT 0}. The key must be unique. Columns
 * are named as the database names them, without quotes, and values are bound as
 * {@link java.sql.PreparedStatement#setObject(int, Object)} takes them, text as the column's type reads it.
 *
 * <p>Immutable, for any number of threads.
 */
@SuppressWarnings("exports") // users need no JSpecify
public final class OptimisticTable {
    private final String table;
    private final List<String> keyColumns;
    private final String versionColumn;

    private OptimisticTable(String table, List<String> keyColumns, String versionColumn) {
        this.table = SqlName.parse(table)
                .map(SqlName::sql)
                .orElseThrow(() -> new IllegalArgumentException(
                        "table must be a name, with a schema or without, but was \"" + table + "\""));
        this.keyColumns = List.copyOf(keyColumns);
        this.versionColumn = versionColumn;
        if (keyColumns.isEmpty()) {
            throw new IllegalArgumentException("the key of " + table + " must have a column or more, but has none");
        }
    }

    /**
     * {@return a table with a key of one column}
     *
     * @param table its name as SQL reads it: {@code article}, {@code "Article"}, {@code cms.article}
     */
    public static OptimisticTable of(String table, String keyColumn, String versionColumn) {
        return of(table, List.of(keyColumn), versionColumn);
    }

    /**
     * {@return a table with a key of several columns, whose values are given as a {@link List} in their order}
     *
     * @param table its name as SQL reads it
     */
    public static OptimisticTable of(String table, List<String> keyColumns, String versionColumn) {
        return new OptimisticTable(table, keyColumns, versionColumn);
    }

    /**
     * Changes a row if it is at the expected version, and counts that up by one. Takes the lock of the row until the transaction
     * ends. One round trip, and one more when the row was not changed.
     *
     * @param key the value of the key; a {@link List} of them where it has several columns
     * @param expectedVersion as it was read
     * @param columns the new values by column; with none only the version is counted up
     * @return the new version
     * @throws StaleVersionException when the row is at another version
     * @throws RowGoneException when there is no such row
     * @throws UpdateSuppressedException when the row is at that version, but a trigger, rule or policy kept it as it was
     * @throws SQLException when a statement fails: 40001 above READ COMMITTED, when somebody else has changed the row
     */
    public long update(
            Transaction transaction, Object key, long expectedVersion, Map<String, ? extends @Nullable Object> columns)
            throws SQLException {
        RowId row = row(key);
        List<Map<String, @Nullable Object>> changed =
                updateOf(row, expectedVersion, sorted(columns)).rows(transaction.connection());
        if (changed.size() == 1) {
            return version(changed.get(0)).orElseThrow();
        }
        throw changed.isEmpty() ? notChanged(transaction, row, expectedVersion) : row.notUnique(changed.size());
    }

    /**
     * Reads a row and changes it, once: what somebody else changes in between is refused.
     *
     * @param key the value of the key; a {@link List} of them where it has several columns
     * @param change makes the new values
     * @return the new version; the present one when there was nothing to change
     * @throws X what the change threw
     * @throws StaleVersionException when the row was changed after it was read
     * @throws RowGoneException when there is no such row
     * @throws UpdateSuppressedException when a trigger, rule or policy kept it as it was
     * @throws SQLException when a statement fails
     */
    public <X extends Exception> long change(Transaction transaction, Object key, RowChange<X> change)
            throws X, SQLException {
        RowId row = row(key);
        Map<String, @Nullable Object> present = read(transaction, row, "*").orElseThrow(row::gone);
        long version = version(present)
                .orElseThrow(() -> new IllegalStateException(
                        "%s has no version: let %s be NOT NULL DEFAULT 0".formatted(row, versionColumn)));
        Map<String, ? extends @Nullable Object> columns = change.apply(present);
        return columns.isEmpty() ? version : update(transaction, key, version, columns);
    }

    /**
     * Reads a row and changes it in a transaction of its own; when somebody else was faster, again, in a new transaction, as often
     * and as long as the options of the transactions allow.
     *
     * @param key the value of the key; a {@link List} of them where it has several columns
     * @param change makes the new values; may be applied several times
     * @return the new version; the present one when there was nothing to change
     * @throws X what the change threw
     * @throws RowGoneException when there is no such row
     * @throws UpdateSuppressedException when a trigger, rule or policy kept it as it was
     * @throws dev.cerrojo.tx.RetriesExhaustedException when others were faster each time; a version that was changed meanwhile counts
     *     as SQLSTATE 40001, with {@link StaleVersionException} as its cause
     * @throws dev.cerrojo.CerrojoException as {@link Transactions#call} throws it
     */
    public <X extends Exception> long change(Transactions transactions, Object key, RowChange<X> change) throws X {
        return transactions.<Long, X>call(transaction -> {
            try {
                return change(transaction, key, change);
            } catch (StaleVersionException e) {
                throw new SQLTransactionRollbackException(e.getMessage(), "40001", e);
            }
        });
    }

    private RowId row(Object key) {
        return RowId.of(table, keyColumns, key);
    }

    /** In one order, so that one change is one statement text. */
    private SortedMap<String, @Nullable Object> sorted(Map<String, ? extends @Nullable Object> columns) {
        if (columns.containsKey(versionColumn)) {
            throw new IllegalArgumentException(
                    "column %s of %s is the version, which is counted up by itself: leave it out"
                            .formatted(versionColumn, table));
        }
        return new TreeMap<>(columns);
    }

    /** Leans on the row lock of UPDATE: at READ COMMITTED the condition is looked at again once the lock is had. */
    private Query updateOf(RowId row, long expected, SortedMap<String, @Nullable Object> columns) {
        String version = Identifiers.quote(versionColumn);
        String settings =
                columns.keySet().stream().map(column -> equal(column) + ", ").collect(Collectors.joining());
        List<@Nullable Object> values = new ArrayList<>(columns.values());
        values.addAll(row.key());
        values.add(expected);
        return new Query(
                "UPDATE %s SET %s%s = %s + 1 WHERE %s AND %s = ? RETURNING %s"
                        .formatted(table, settings, version, version, condition(), version, version),
                values);
    }

    private Optional<Map<String, @Nullable Object>> read(Transaction transaction, RowId row, String columns)
            throws SQLException {
        Query query = new Query(
                "SELECT %s FROM %s WHERE %s".formatted(columns, table, condition()), new ArrayList<>(row.key()));
        return query.rows(transaction.connection()).stream().findFirst();
    }

    private RuntimeException notChanged(Transaction transaction, RowId row, long expected) throws SQLException {
        return read(transaction, row, Identifiers.quote(versionColumn))
                .<RuntimeException>map(present -> refused(row, expected, version(present)))
                .orElseGet(row::gone);
    }

    private static RuntimeException refused(RowId row, long expected, Optional<Long> present) {
        return present.filter(version -> version == expected).isPresent()
                ? row.suppressed(present)
                : row.stale(expected, present);
    }

    private Optional<Long> version(Map<String, @Nullable Object> row) {
        return Optional.ofNullable((Number) row.get(versionColumn)).map(Number::longValue);
    }

    private String condition() {
        return keyColumns.stream().map(OptimisticTable::equal).collect(Collectors.joining(" AND "));
    }

    private static String equal(String column) {
        return Identifiers.quote(column) + " = ?";
    }
}
