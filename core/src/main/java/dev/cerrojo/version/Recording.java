package dev.cerrojo.version;

import dev.cerrojo.Actor;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.SqlName;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records what the application changes. */
final class Recording {
    private static final String GIVEN = """
            SELECT ?::text AS entity, ?::text AS entity_key, ?::jsonb AS before, ?::jsonb AS after""";

    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";

    private static final String NUMBER = "SELECT version FROM versions";

    private final VersionTables tables;
    private final String given;

    Recording(VersionTables tables) {
        this.tables = tables;
        this.given = statement(GIVEN);
    }

    private String statement(String source) {
        return RecordSql.of(tables, source, Actor.EDITOR, NUMBER);
    }

    OptionalLong record(Transaction transaction, Entity entity, Optional<String> before, Optional<String> after)
            throws SQLException {
        return number(transaction, given, entity.type(), entity.key(), before.orElse(null), after.orElse(null));
    }

    <X extends Exception> OptionalLong around(
            Transaction transaction, VersionedTable table, Object key, TransactionAction<X> work)
            throws X, SQLException {
        List<?> values = key instanceof List<?> several ? several : List.of(key);
        Entity entity = table.entity(values.toArray());
        Optional<String> before = image(transaction, table, values);
        if (before.isEmpty()) {
            lock(transaction, entity);
            before = image(transaction, table, values);
        }
        work.run(transaction);
        Object[] bound = new Object[values.size() + 3];
        bound[0] = entity.type();
        bound[1] = entity.key();
        bound[2] = before.orElse(null);
        System.arraycopy(values.toArray(), 0, bound, 3, values.size());
        return number(transaction, statement(after(table)), bound);
    }

    /** A row that is not there cannot be locked: of two who would make it the second one must see what the first one has made. */
    private static void lock(Transaction transaction, Entity entity) throws SQLException {
        try (PreparedStatement statement = transaction.connection().prepareStatement(LOCK)) {
            statement.setString(1, "cerrojo:" + entity.type() + '/' + entity.key());
            statement.execute();
        }
    }

    /** What the row is after the work, read by the statement that records it. */
    private static String after(VersionedTable table) {
        return "SELECT ?::text AS entity, ?::text AS entity_key, ?::jsonb AS before, (\n  SELECT i.image FROM (\n%s\n  ) AS i) AS after"
                .formatted(table.images(row(table) + " WHERE " + condition(table)));
    }

    private static Optional<String> image(Transaction transaction, VersionedTable table, List<?> key)
            throws SQLException {
        String locked = table.images(row(table) + " WHERE " + condition(table) + " FOR NO KEY UPDATE");
        try (PreparedStatement statement =
                transaction.connection().prepareStatement("SELECT i.image::text FROM (\n" + locked + "\n) AS i")) {
            bind(statement, key.toArray());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
            }
        }
    }

    private static String row(VersionedTable table) {
        return table.name().sql() + " AS cerrojo_row";
    }

    private static String condition(VersionedTable table) {
        return table.keyColumns().stream()
                .map(column ->
                        "cerrojo_row." + Identifiers.quote(SqlName.of(column).name()) + " = ?")
                .collect(Collectors.joining(" AND "));
    }

    private static OptionalLong number(Transaction transaction, String sql, @Nullable Object... bound)
            throws SQLException {
        try (PreparedStatement statement = transaction.connection().prepareStatement(sql)) {
            bind(statement, bound);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    /** Text is bound without a type, so that PostgreSQL reads it as the column's. */
    private static void bind(PreparedStatement statement, @Nullable Object... bound) throws SQLException {
        for (int i = 0; i < bound.length; i++) {
            if (bound[i] == null || bound[i] instanceof String) {
                statement.setObject(i + 1, bound[i], Types.OTHER);
            } else {
                statement.setObject(i + 1, bound[i]);
            }
        }
    }
}
