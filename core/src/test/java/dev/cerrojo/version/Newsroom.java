package dev.cerrojo.version;

import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Articles 1 and 2, and what search engines are told of them. */
final class Newsroom implements AutoCloseable {
    static final VersionedTable ARTICLES = VersionedTable.of("article", "id").ignoring("row_version");
    static final VersionedTable SEO =
            VersionedTable.of("article_seo", "article_id").partOf("article");
    static final Entity ONE = ARTICLES.entity(1);
    static final Entity TWO = ARTICLES.entity(2);

    private final TestDatabase database = TestDatabase.create();
    private final Session session;
    private final Transactions transactions = Transactions.over(database.dataSource());
    private final Versions versions = Versions.over(database.dataSource()).withRetention(Retention.everything());

    Newsroom() throws SQLException {
        session = Session.of(database);
        session.run("""
                CREATE TABLE article (id int PRIMARY KEY, title text, body text, words int, row_version int NOT NULL DEFAULT 0);
                CREATE TABLE article_seo (article_id int PRIMARY KEY REFERENCES article ON DELETE CASCADE, slug text);
                INSERT INTO article VALUES (1, 'One', 'b', 1), (2, 'Two', 'b', 1);
                INSERT INTO article_seo VALUES (1, 'one'), (2, 'two')""");
        Schema.over(database.dataSource()).create();
    }

    Newsroom withTriggers() throws SQLException {
        return with(VersionTriggerOptions.defaults());
    }

    Newsroom with(VersionTriggerOptions options) throws SQLException {
        for (VersionedTable table : List.of(ARTICLES, SEO)) {
            VersionTriggers.over(database.dataSource())
                    .install(
                            VersionTrigger.of(table, options),
                            Installation.defaults().withReplace(true));
        }
        return this;
    }

    TestDatabase database() {
        return database;
    }

    Transactions transactions() {
        return transactions;
    }

    Versions versions() {
        return versions;
    }

    /** The session of whoever set it up. */
    Session session() {
        return session;
    }

    static void run(Transaction tx, String sql) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement(sql)) {
            statement.execute();
        }
    }

    /** Each version as {@code key|number|who|changes}, by number. */
    List<String> versionRows() throws SQLException {
        return session.rows(
                "SELECT entity_key, version, changed_by, changes FROM cerrojo.version ORDER BY entity_key, version");
    }

    /** Each entry as {@code key|who|changes}, as they came. */
    List<String> logRows() throws SQLException {
        return session.rows("SELECT entity_key, changed_by, changes FROM cerrojo.operation_log ORDER BY id");
    }

    @Override
    public void close() throws SQLException {
        session.close();
        database.close();
    }
}
