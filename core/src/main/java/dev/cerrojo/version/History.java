package dev.cerrojo.version;

import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads histories by key, the newest first. */
final class History {
    private static final int MOST = 1_000;

    private static final String COLUMNS = """
            changed_by, changed_at, changes::text AS changes,
              ARRAY(SELECT f FROM jsonb_object_keys(changes) AS f ORDER BY f COLLATE "C") AS fields""";

    private static final String VERSIONS = "SELECT version AS number, " + COLUMNS + """

            FROM {version}
            WHERE entity = ? AND entity_key = ? AND version < ?
            ORDER BY version DESC LIMIT ?""";

    private static final String LOG = "SELECT id AS number, " + COLUMNS + """

            FROM {log}
            WHERE entity = ? AND entity_key = ? AND id < ?
            ORDER BY id DESC LIMIT ?""";

    private final Transactions transactions;
    private final VersionTables tables;

    History(Transactions transactions, VersionTables tables) {
        this.transactions = transactions;
        this.tables = tables;
    }

    Page<Version> versions(Entity entity, int limit, PageCursor after) {
        return page(tables.sql(VERSIONS), entity, limit, after)
                .map(row -> new Version(entity, row.number(), row.by(), row.at(), row.fields(), row.changes()));
    }

    Page<LogEntry> log(Entity entity, int limit, PageCursor after) {
        return page(tables.sql(LOG), entity, limit, after)
                .map(row -> new LogEntry(entity, row.number(), row.by(), row.at(), row.fields(), row.changes()));
    }

    private Rows page(String sql, Entity entity, int limit, PageCursor after) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be 1 to %d entries, but was %d".formatted(MOST, limit));
        }
        return transactions.call(tx -> read(tx, sql, entity, limit, after));
    }

    /** One more than asked for tells whether there is a next page. */
    private static Rows read(Transaction tx, String sql, Entity entity, int limit, PageCursor after)
            throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement(sql)) {
            statement.setString(1, entity.type());
            statement.setString(2, entity.key());
            statement.setLong(3, after.before());
            statement.setInt(4, limit + 1);
            try (ResultSet result = statement.executeQuery()) {
                List<Row> rows = new ArrayList<>();
                while (result.next()) {
                    rows.add(Row.of(result));
                }
                return new Rows(rows, limit);
            }
        }
    }

    private record Row(long number, String by, Instant at, List<String> fields, String changes) {
        static Row of(ResultSet row) throws SQLException {
            return new Row(
                    row.getLong("number"),
                    row.getString("changed_by"),
                    row.getObject("changed_at", OffsetDateTime.class).toInstant(),
                    List.of((String[]) row.getArray("fields").getArray()),
                    row.getString("changes"));
        }
    }

    private record Rows(List<Row> rows, int limit) {
        <E> Page<E> map(java.util.function.Function<Row, E> made) {
            List<E> entries = rows.stream().limit(limit).map(made).toList();
            return new Page<>(
                    entries,
                    rows.size() > limit
                            ? Optional.of(new PageCursor(rows.get(limit - 1).number()))
                            : Optional.empty());
        }
    }
}
