package dev.cerrojo.explorer.tests.versions;

import dev.cerrojo.Actor;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import dev.cerrojo.version.LogEntry;
import dev.cerrojo.version.Page;
import dev.cerrojo.version.PageCursor;
import dev.cerrojo.version.Retention;
import dev.cerrojo.version.Suppression;
import dev.cerrojo.version.Version;
import dev.cerrojo.version.VersionTrigger;
import dev.cerrojo.version.VersionTriggerOptions;
import dev.cerrojo.version.VersionTriggers;
import dev.cerrojo.version.VersionedTable;
import dev.cerrojo.version.Versions;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** The guide's service: articles that people edit, and workers that write what follows from it. */
public final class Newspaper {
    private static final VersionedTable ARTICLES =
            VersionedTable.of("article", "id").ignoring("updated_at");
    private static final VersionedTable SEO =
            VersionedTable.of("article_seo", "article_id").partOf("article");

    private static final VersionTrigger TRIGGER = VersionTrigger.of(ARTICLES, VersionTriggerOptions.defaults());

    private final DataSource dataSource;
    private final Transactions transactions;
    private final Versions versions;

    public Newspaper(DataSource dataSource) {
        this.dataSource = dataSource;
        this.transactions = Transactions.over(dataSource);
        this.versions = Versions.over(dataSource);
    }

    public void ready() throws SQLException {
        Schema.over(dataSource).ready(SchemaMode.CREATE);
        VersionTriggers.over(dataSource).install(TRIGGER, Installation.defaults());
        VersionTriggers.over(dataSource)
                .install(VersionTrigger.of(SEO, VersionTriggerOptions.defaults()), Installation.defaults());
    }

    public List<Finding> drift() throws SQLException {
        return VersionTriggers.over(dataSource).verify(TRIGGER);
    }

    /** An editor's save. */
    public void rename(String editor, int article, String title) {
        transactions.run(tx -> {
            versions.act(tx, Actor.EDITOR, editor);
            write(tx, "UPDATE article SET title = ?, updated_at = now() WHERE id = ?", title, article);
        });
    }

    /** A worker's write. */
    public void slug(int article, String slug) {
        transactions.run(tx -> {
            versions.act(tx, Actor.SYSTEM, "slug-worker");
            write(tx, "UPDATE article_seo SET slug = ? WHERE article_id = ?", slug, article);
        });
    }

    /** The same where no triggers are wanted. */
    public OptionalLong renameRecorded(String editor, int article, String title) {
        return transactions.call(tx -> {
            versions.act(tx, Actor.EDITOR, editor);
            return versions.<SQLException>recording(
                    tx,
                    ARTICLES,
                    article,
                    work -> write(work, "UPDATE article SET title = ? WHERE id = ?", title, article));
        });
    }

    /** A migration, of which nobody wants a version. */
    public void trimTitles() {
        transactions.run(tx -> {
            try (Suppression migration = versions.suppress(tx)) {
                write(tx, "UPDATE article SET title = trim(title)");
            }
        });
    }

    public Page<Version> history(int article, String cursor) {
        return versions.versionsOf(ARTICLES.entity(article), 20, PageCursor.parse(cursor));
    }

    public Page<Version> history(int article) {
        return versions.versionsOf(ARTICLES.entity(article), 20);
    }

    public Page<LogEntry> log(int article) {
        return versions.logOf(ARTICLES.entity(article), 20);
    }

    /** Keeps a year, and at least ten versions. */
    public int purge() {
        Retention retention = Retention.defaults().withVersionsKept(10).withVersionAge(Duration.ofDays(365));
        return versions.withRetention(retention).purge();
    }

    private static void write(Transaction tx, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
