package dev.cerrojo.explorer.tests.versions;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.jdbc.SessionBody;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import dev.cerrojo.version.Retention;
import dev.cerrojo.version.VersionTrigger;
import dev.cerrojo.version.VersionTriggerOptions;
import dev.cerrojo.version.VersionTriggers;
import dev.cerrojo.version.VersionedTable;
import dev.cerrojo.version.Versions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Two articles with a part each, and a race of sessions that save them. */
final class Press implements AutoCloseable {
    static final VersionedTable ARTICLES = VersionedTable.of("article", "id");
    static final VersionedTable SEO =
            VersionedTable.of("article_seo", "article_id").partOf("article");

    /** How saves are recorded. */
    enum Way {
        APPLICATION,
        TRIGGERS,
        BOTH;

        boolean application() {
            return this != TRIGGERS;
        }

        boolean triggers() {
            return this != APPLICATION;
        }
    }

    /** Articles whose saved title is not what their newest version says. */
    static final String WITHOUT_A_VERSION = """
            SELECT a.id, a.title FROM article AS a
            WHERE a.title <> 'old' AND NOT EXISTS (
              SELECT FROM cerrojo.version AS v
              WHERE v.entity_key = a.id::text AND v.changes -> 'title' ->> 'after' = a.title)""";

    /** Entities whose versions are not numbered 1, 2, … up to the newest. */
    static final String GAPS = """
            SELECT entity_key, array_agg(version ORDER BY version) FROM cerrojo.version
            GROUP BY entity_key HAVING min(version) <> 1 OR max(version) <> count(*)""";

    private static final int SIZE = 4;

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource setup = Pools.hikari(database, 1);
    private final HikariDataSource pool;
    private final Interleavings race = new Interleavings();
    private final Way way;
    private final Transactions transactions;
    private final Versions versions;

    Press(Way way, Isolation level) throws SQLException {
        this.way = way;
        Pools.execute(setup, """
                CREATE TABLE article (id int PRIMARY KEY, title text NOT NULL, words int NOT NULL);
                CREATE TABLE article_seo (article_id int PRIMARY KEY, slug text NOT NULL);
                INSERT INTO article VALUES (1, 'old', 0), (2, 'old', 0);
                INSERT INTO article_seo VALUES (1, 'old'), (2, 'old')""");
        Schema.over(setup).create();
        if (way.triggers()) {
            for (VersionedTable table : List.of(ARTICLES, SEO)) {
                VersionTriggers.over(setup)
                        .install(VersionTrigger.of(table, VersionTriggerOptions.defaults()), Installation.defaults());
            }
        }
        pool = Pools.hikari(database, SIZE, level);
        transactions = Transactions.over(
                race.over(pool).dataSource(),
                TransactionOptions.builder()
                        .backoff(Duration.ZERO, Duration.ZERO)
                        .deadline(Duration.ofMinutes(10))
                        .build());
        versions = Versions.over(race.dataSource()).withRetention(Retention.everything());
    }

    Interleavings race() {
        return race;
    }

    Versions versions() {
        return versions;
    }

    SessionBody transaction(TransactionAction<SQLException> work) {
        return () -> transactions.run(work);
    }

    /** Writes one field of a row, whose value was {@code old}; the application records that, where it does. */
    OptionalLong save(Transaction tx, VersionedTable table, int key, String field, String value) throws SQLException {
        write(
                tx,
                "UPDATE %s SET %s = '%s' WHERE %s = %d"
                        .formatted(
                                table.table(), field, value, table.keyColumns().get(0), key));
        return way.application() ? record(tx, table, key, field, value) : OptionalLong.empty();
    }

    private OptionalLong record(Transaction tx, VersionedTable table, int key, String field, String value)
            throws SQLException {
        String name = table.equals(SEO) ? "article_seo." + field : field;
        return versions.record(tx, table.entity(key), json(name, "old"), json(name, value));
    }

    private static Optional<String> json(String field, String value) {
        return Optional.of("{\"%s\": \"%s\"}".formatted(field, value));
    }

    static Optional<String> find(Transaction tx, String sql) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
        }
    }

    static void write(Transaction tx, String sql) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement(sql)) {
            statement.execute();
        }
    }

    /** Every schedule, and nothing found. */
    void holds(String what, Isolation level) {
        Findings findings = race.neverFails().neverDeadlocks().explore();
        System.out.printf("versions | %s | %s | %s | %d%n", what, way, level.sql(), findings.schedules());
        if (findings.verdict() != Verdict.HOLDS) {
            throw new AssertionError(findings.text());
        }
    }

    @Override
    public void close() {
        pool.close();
        setup.close();
        database.close();
    }
}
