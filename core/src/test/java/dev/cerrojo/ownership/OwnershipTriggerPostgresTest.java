package dev.cerrojo.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.Actor;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Transactions;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.ServerErrorMessage;

/** What the triggers let through. */
class OwnershipTriggerPostgresTest {
    private static final Ownership ARTICLES = Ownership.of("article", "id")
            .version("version")
            .editorOwned("title", "meta")
            .systemOwned("summary", "Place", "category")
            .shared("tags", Merge.union())
            .shared("seen", Merge.greater())
            .shared("source", Merge.firstWins())
            .shared("note", Merge.lastWins())
            .build();

    private static TestDatabase database;

    private Session session;

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void article() throws SQLException {
        session = Session.of(database);
        session.run("""
                DROP SCHEMA IF EXISTS cerrojo CASCADE;
                DROP SCHEMA public CASCADE;
                CREATE SCHEMA public;
                CREATE TABLE category (id int PRIMARY KEY);
                CREATE TABLE article (id int PRIMARY KEY, title text, meta json, summary text, "Place" point,
                  category int REFERENCES category ON DELETE SET NULL, tags text[], seen int, source text, note text,
                  words int GENERATED ALWAYS AS (length(title)) STORED, version bigint NOT NULL DEFAULT 0);
                INSERT INTO category VALUES (1);
                INSERT INTO article (id, title, meta, summary, "Place", category, tags, seen, version)
                VALUES (7, 'Old', '{}', 's', '(1,2)', 1, '{a}', 5, 3)""");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    private void install(Ownership ownership, OwnershipOptions options) throws SQLException {
        OwnershipTriggers.over(database.dataSource())
                .install(OwnershipTrigger.of(ownership, options), Installation.defaults());
    }

    private void run(String actor, String sql) throws SQLException {
        session.run("BEGIN; SET LOCAL cerrojo.actor = '%s'; %s; COMMIT".formatted(actor, sql));
    }

    private ServerErrorMessage refusal(String actor, String sql) throws SQLException {
        session.run("BEGIN; SET LOCAL cerrojo.actor = '%s'".formatted(actor));
        ServerErrorMessage error = session.error(sql);
        session.run("ROLLBACK");
        return error;
    }

    private String row(String columns) throws SQLException {
        return session.value("SELECT " + columns + " FROM article WHERE id = 7");
    }

    // Mode reject

    @Test
    void rejectRefusesWhatIsAnothersAndNamesIt() throws SQLException {
        install(ARTICLES, OwnershipOptions.reject());

        ServerErrorMessage refused =
                refusal("editor", "UPDATE article SET title = 'New', \"Place\" = '(1,3)', summary = 't'");

        assertThat(refused.getSQLState()).isEqualTo("23514");
        assertThat(refused.getMessage())
                .isEqualTo("summary, Place of article belongs to the system, but editors wrote it");
        assertThat(refused.getHint()).contains("SET LOCAL cerrojo.actor = 'system'");
        assertThat(refused.getConstraint()).isEqualTo("article_ownership");
        assertThat(refusal("system", "UPDATE article SET meta = '{} '").getMessage())
                .isEqualTo("meta of article belongs to editors, but the system wrote it");
    }

    @Test
    void rejectLetsOnesOwnThroughAndWhatIsNotChanged() throws SQLException {
        install(ARTICLES, OwnershipOptions.reject());

        run("editor", "UPDATE article SET title = 'New', meta = '{}', summary = 's', \"Place\" = '(1,2)', version = 4");
        run("system", "UPDATE article SET summary = 't', title = title, category = NULL");

        assertThat(row("title, words, summary, version")).isEqualTo("New|3|t|4");
    }

    @Test
    void whoDoesNotSayWhoActsIsRefused() throws SQLException {
        install(ARTICLES, OwnershipOptions.reject());

        assertThat(session.error("UPDATE article SET title = 'x'").getMessage())
                .isEqualTo("title of article belongs to editors, but nobody said who writes it");
        session.run("UPDATE article SET note = 'x', title = 'Old'");
        assertThat(refusal("Editor", "UPDATE article SET note = 'y'").getMessage())
                .isEqualTo("cerrojo.actor must be editor or system, but is \"Editor\"");
    }

    @Test
    void whoActsEndsWithTheTransactionAndMayBeARolesOwn() throws SQLException {
        install(ARTICLES, OwnershipOptions.reject());

        run("editor", "UPDATE article SET title = 'x'");
        assertThat(session.sqlState("UPDATE article SET title = 'y'")).isEqualTo("23514");
        session.run("SET cerrojo.actor = 'system'");
        session.run("UPDATE article SET summary = 'z'");
        session.run("RESET cerrojo.actor");
    }

    @Test
    void rejectRefusesSharedFieldsThatAreNotMerged() throws SQLException {
        install(ARTICLES, OwnershipOptions.reject());

        assertThat(refusal("editor", "UPDATE article SET tags = '{b}'").getMessage())
                .startsWith("tags of article is shared and merged with what was read");
        assertThat(refusal("editor", "UPDATE article SET seen = 4").getMessage())
                .isEqualTo("seen of article must not become less");
        assertThat(refusal("editor", "UPDATE article SET version = 2").getMessage())
                .isEqualTo("version of article must not become less");
        run("system", "UPDATE article SET seen = 6, source = 'mail', note = 'n'");
        assertThat(refusal("editor", "UPDATE article SET source = 'x'").getMessage())
                .isEqualTo("source of article is shared, and its first value stays");
        run("system", "UPDATE article SET source = 'mail', seen = 6, tags = '{a}', note = 'm'");
    }

    @Test
    void ownedUpdatesPassBothModes() throws SQLException {
        OwnedTable articles = OwnedTable.of(ARTICLES);
        Transactions transactions = Transactions.over(database.dataSource());
        for (OwnershipOptions options : List.of(OwnershipOptions.reject(), OwnershipOptions.preserve())) {
            session.run(
                    "DROP SCHEMA IF EXISTS cerrojo CASCADE; UPDATE article SET tags = '{a}', title = 'Old', version = 3");
            install(ARTICLES, options);

            transactions.run(tx -> {
                articles.write(
                        tx,
                        7,
                        Write.by(Actor.EDITOR)
                                .atVersion(3)
                                .set("title", "New")
                                .merge("tags", List.of("a"), List.of("b")));
                articles.write(tx, 7, Write.by(Actor.SYSTEM).atVersion(4).set("summary", "t"));
                assertThat(tx.connection().createStatement().executeUpdate("UPDATE article SET seen = seen"))
                        .isEqualTo(1);
            });

            assertThat(row("title, summary, tags::text, version")).isEqualTo("New|t|{b}|4");
        }
    }

    // Mode preserve

    @Test
    void preserveKeepsWhatIsAnothers() throws SQLException {
        install(ARTICLES, OwnershipOptions.preserve());

        run(
                "editor",
                "UPDATE article SET title = 'New', meta = '[]', summary = 'x', \"Place\" = '(9,9)', tags = '{x}',"
                        + " seen = 1, note = 'n', version = 1");
        assertThat(row("title, words, meta, summary, \"Place\", tags::text, seen, note, version"))
                .isEqualTo("New|3|[]|s|(1,2)|{a}|5|n|3");

        run(
                "system",
                "UPDATE article SET title = 'x', meta = '{}', summary = 't', seen = 8, source = 'a', version = 4");
        run("system", "UPDATE article SET source = 'b'");
        assertThat(row("title, words, meta, summary, seen, source, version")).isEqualTo("New|3|[]|t|8|a|4");
    }

    @Test
    void preserveTakesWhoSaysNothingForAnEditorUnlessToldOtherwise() throws SQLException {
        install(ARTICLES, OwnershipOptions.preserve());
        session.run("UPDATE article SET title = 'A', summary = 'A'");
        assertThat(row("title, summary")).isEqualTo("A|s");

        session.run("DROP SCHEMA cerrojo CASCADE");
        install(ARTICLES, OwnershipOptions.preserve().withUnsaid(Optional.of(Actor.SYSTEM)));
        session.run("UPDATE article SET title = 'B', summary = 'B'");
        assertThat(row("title, summary")).isEqualTo("A|B");

        session.run("DROP SCHEMA cerrojo CASCADE");
        install(ARTICLES, OwnershipOptions.preserve().withUnsaid(Optional.empty()));
        assertThat(session.error("UPDATE article SET summary = 'C'").getMessage())
                .isEqualTo("summary of article belongs to the system, but nobody said who writes it");
        run("system", "UPDATE article SET title = 'D', summary = 'D'");
        assertThat(row("title, summary")).isEqualTo("A|D");
    }

    // Both

    @Test
    void insertsAndDeletesAreLeftAlone() throws SQLException {
        for (OwnershipOptions options : List.of(OwnershipOptions.reject(), OwnershipOptions.preserve())) {
            session.run("DROP SCHEMA IF EXISTS cerrojo CASCADE");
            install(ARTICLES, options);

            run("editor", "INSERT INTO article (id, title, summary, tags) VALUES (8, 't', 's', '{x}')");
            assertThat(session.value("SELECT summary, tags::text FROM article WHERE id = 8"))
                    .isEqualTo("s|{x}");
            session.run("UPDATE article SET id = 9 WHERE id = 8");
            run("editor", "DELETE FROM article WHERE id = 9");
        }
    }

    @Test
    void theUpdateOfAnUpsertAndOfAMergeIsOne() throws SQLException {
        install(ARTICLES, OwnershipOptions.preserve());
        run(
                "editor",
                "INSERT INTO article (id, title, summary) VALUES (7, 'U', 'U')"
                        + " ON CONFLICT (id) DO UPDATE SET title = excluded.title, summary = excluded.summary");
        assertThat(row("title, summary")).isEqualTo("U|s");

        session.run("DROP SCHEMA cerrojo CASCADE");
        install(ARTICLES, OwnershipOptions.reject());
        assertThat(refusal(
                                "editor",
                                "INSERT INTO article (id, summary) VALUES (7, 'U')"
                                        + " ON CONFLICT (id) DO UPDATE SET summary = excluded.summary")
                        .getSQLState())
                .isEqualTo("23514");
    }

    /** To keep it would leave a key that leads nowhere. */
    @Test
    void whatAForeignKeySetsIsLeftAlone() throws SQLException {
        for (OwnershipOptions options : List.of(OwnershipOptions.reject(), OwnershipOptions.preserve())) {
            session.run("DROP SCHEMA IF EXISTS cerrojo CASCADE; INSERT INTO category VALUES (1) ON CONFLICT DO NOTHING;"
                    + " UPDATE article SET category = 1");
            install(ARTICLES, options);

            run("editor", "DELETE FROM category");

            assertThat(row("category")).isEmpty();
        }
    }

    /** What the database derives is not what somebody wrote. */
    @Test
    void whatOtherTriggersChangeIsLeftAlone() throws SQLException {
        session.run("""
                CREATE FUNCTION derive() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.summary := NEW.title; RETURN NEW; END';
                CREATE TRIGGER a_derive BEFORE UPDATE ON article FOR EACH ROW EXECUTE FUNCTION derive()""");
        for (OwnershipOptions options : List.of(OwnershipOptions.reject(), OwnershipOptions.preserve())) {
            session.run("DROP SCHEMA IF EXISTS cerrojo CASCADE");
            install(ARTICLES, options);

            run("editor", "UPDATE article SET title = '%s'".formatted(options.mode()));

            assertThat(row("summary")).isEqualTo(options.mode().name());
        }
    }

    @Test
    void theRestMayBelongToOneActor() throws SQLException {
        Ownership lenient = Ownership.of("article", "id")
                .version("version")
                .systemOwned("summary")
                .others(Actor.EDITOR)
                .build();
        install(lenient, OwnershipOptions.reject());
        session.run("ALTER TABLE article ADD later text");

        assertThat(refusal("system", "UPDATE article SET later = 'x', meta = '[]', summary = 't'")
                        .getMessage())
                .isEqualTo("later, meta of article belongs to editors, but the system wrote it");
        assertThat(refusal("editor", "UPDATE article SET summary = 't'").getMessage())
                .isEqualTo("summary of article belongs to the system, but editors wrote it");
        run("editor", "UPDATE article SET later = 'x', title = 'Longer'");
        run("system", "UPDATE article SET summary = 't'");

        session.run("DROP SCHEMA cerrojo CASCADE");
        install(lenient, OwnershipOptions.preserve());
        run("system", "UPDATE article SET later = 'y', title = 'z', summary = 'u', version = 9");
        run("editor", "UPDATE article SET meta = '[1]', summary = 'v'");
        assertThat(row("later, title, words, meta, summary, version")).isEqualTo("x|Longer|6|[1]|u|9");
    }

    /** A whole-row save of what was read before another's commit; at READ COMMITTED it waits, and looks at the row again. */
    @Test
    void aStaleSaveThatWaitedKeepsWhatWasCommittedMeanwhile() throws Exception {
        install(ARTICLES, OwnershipOptions.preserve());
        try (Session editor = Session.of(database);
                Session monitor = Session.of(database)) {
            session.run("BEGIN; SET LOCAL cerrojo.actor = 'system'; UPDATE article SET summary = 'fresh'");
            editor.run("BEGIN; SET LOCAL cerrojo.actor = 'editor'");
            var save = editor.start("UPDATE article SET title = 'New', summary = 's' WHERE id = 7");
            editor.awaitBlockedBy(session, monitor);
            session.run("COMMIT");
            assertThat(Session.await(save)).isEqualTo("00000");
            editor.run("COMMIT");
        }

        assertThat(row("title, summary")).isEqualTo("New|fresh");
    }

    @Test
    void rightsByColumnAreEnough() throws SQLException {
        install(ARTICLES, OwnershipOptions.preserve());
        session.run("DROP ROLE IF EXISTS cerrojo_editors; CREATE ROLE cerrojo_editors");
        session.run("GRANT USAGE ON SCHEMA public TO cerrojo_editors; GRANT SELECT ON article TO cerrojo_editors");
        session.run(ARTICLES.grantSql(Actor.EDITOR, "cerrojo_editors"));
        try {
            session.run("SET ROLE cerrojo_editors");
            session.run("UPDATE article SET title = 'New', version = version + 1");
            assertThat(session.sqlState("UPDATE article SET summary = 'x'")).isEqualTo("42501");
        } finally {
            session.run("RESET ROLE; DROP OWNED BY cerrojo_editors; DROP ROLE cerrojo_editors");
        }
        assertThat(row("title")).isEqualTo("New");
    }

    @Test
    void partitionsAndChildrenAreKeptToo() throws SQLException {
        session.run("""
                CREATE TABLE part (id int, region text, a text, b text, PRIMARY KEY (id, region)) PARTITION BY LIST (region);
                CREATE TABLE part_eu PARTITION OF part FOR VALUES IN ('eu');
                CREATE TABLE parent (id int PRIMARY KEY, a text, b text);
                CREATE TABLE child () INHERITS (parent)""");
        Ownership part = Ownership.of("part", "id", "region")
                .editorOwned("a")
                .systemOwned("b")
                .build();
        install(part, OwnershipOptions.preserve());
        install(Ownership.of("parent", "id").editorOwned("a").systemOwned("b").build(), OwnershipOptions.preserve());
        session.run("""
                CREATE TABLE part_us PARTITION OF part FOR VALUES IN ('us');
                INSERT INTO part VALUES (1, 'eu', 'a', 'b'), (2, 'us', 'a', 'b');
                INSERT INTO child VALUES (3, 'a', 'b')""");

        run(
                "editor",
                "UPDATE part SET a = 'x', b = 'x'; UPDATE part_us SET a = 'y', b = 'y';"
                        + " UPDATE parent SET a = 'x', b = 'x'; UPDATE child SET a = 'y', b = 'y'");
        run("editor", "UPDATE part SET region = 'us', b = 'z' WHERE id = 1");

        assertThat(session.rows("SELECT region, a, b FROM part ORDER BY id")).containsExactly("us|x|b", "us|y|b");
        assertThat(session.rows("SELECT a, b FROM parent")).containsExactly("y|b");
    }
}
