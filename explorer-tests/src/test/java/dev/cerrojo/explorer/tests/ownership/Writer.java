package dev.cerrojo.explorer.tests.ownership;

import dev.cerrojo.Actor;
import dev.cerrojo.ownership.Merge;
import dev.cerrojo.ownership.OwnedTable;
import dev.cerrojo.ownership.Ownership;
import dev.cerrojo.ownership.Write;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Somebody who writes the article; all of them have read it before the race began.
 *
 * @param work one transaction
 * @param shows an SQL condition of the article that holds at the end when it is committed and nobody lost it
 */
record Writer(Work work, String shows) {
    static final Ownership ARTICLES = Ownership.of("article", "id")
            .version("version")
            .editorOwned("title")
            .systemOwned("summary")
            .shared("tags", Merge.union())
            .shared("views", Merge.delta())
            .build();

    /** As everybody has read it. */
    static final String ARTICLE = """
            CREATE TABLE article (id int PRIMARY KEY, title text, summary text, tags text[], views int NOT NULL,
              version bigint NOT NULL);
            INSERT INTO article VALUES (7, 'Old', 'old', '{a}', 0, 0)""";

    private static final OwnedTable OWNED = OwnedTable.of(ARTICLES);
    private static final String ROW = "title = '%s', summary = '%s', tags = '{a}', views = 0, version = 0";

    /** What is done in a transaction. */
    interface Work {
        void run(Transaction transaction) throws SQLException;
    }

    void run(Transactions transactions) {
        transactions.run(work::run);
    }

    /** An editor's save of a title, at the version that was read. */
    static Writer saves(String title) {
        return new Writer(
                tx -> OWNED.write(tx, 7, Write.by(Actor.EDITOR).atVersion(0).set("title", title)),
                "title = '%s'".formatted(title));
    }

    /** A worker's result, made of the version that was read. */
    static Writer stores() {
        return new Writer(
                tx -> OWNED.write(tx, 7, Write.by(Actor.SYSTEM).atVersion(0).set("summary", "fresh")),
                "summary = 'fresh'");
    }

    static Writer tags(Actor actor, String tag) {
        return new Writer(
                tx -> OWNED.write(tx, 7, Write.by(actor).merge("tags", List.of("a"), List.of("a", tag))),
                "'%s' = ANY (tags)".formatted(tag));
    }

    /** Adds one bit to the number. */
    static Writer counts(Actor actor, int bit) {
        return new Writer(
                tx -> OWNED.write(tx, 7, Write.by(actor).merge("views", 0, bit)), "views & %d <> 0".formatted(bit));
    }

    /** As an ORM saves a form: all columns, as they were read, but for one. */
    static Writer form(Actor actor) {
        return raw(actor, "UPDATE article SET " + row(actor) + " WHERE id = 7", shows(actor));
    }

    static Writer upsert(Actor actor) {
        String sql = "INSERT INTO article VALUES (7, '', '', '{a}', 0, 0) ON CONFLICT (id) DO UPDATE SET " + row(actor);
        return raw(actor, sql, shows(actor));
    }

    private static String row(Actor actor) {
        return actor == Actor.EDITOR ? ROW.formatted("New", "old") : ROW.formatted("Old", "fresh");
    }

    private static String shows(Actor actor) {
        return actor == Actor.EDITOR ? "title = 'New'" : "summary = 'fresh'";
    }

    static Writer raw(Actor actor, String sql, String shows) {
        return new Writer(
                tx -> {
                    OwnedTable.actAs(tx.connection(), actor);
                    execute(tx, sql);
                },
                shows);
    }

    private static void execute(Transaction tx, String sql) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
