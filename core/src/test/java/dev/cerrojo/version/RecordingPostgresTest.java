package dev.cerrojo.version;

import static dev.cerrojo.version.Newsroom.ARTICLES;
import static dev.cerrojo.version.Newsroom.ONE;
import static dev.cerrojo.version.Newsroom.SEO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cerrojo.Actor;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.tx.Transaction;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the application records, alone and beside triggers. */
class RecordingPostgresTest {
    private Newsroom newsroom;

    @BeforeEach
    void open() throws SQLException {
        newsroom = new Newsroom();
    }

    @AfterEach
    void close() throws SQLException {
        newsroom.close();
    }

    private OptionalLong save(Actor actor, String who, String sql) {
        return newsroom.transactions().call(tx -> save(tx, actor, who, sql));
    }

    private OptionalLong save(Transaction tx, Actor actor, String who, String sql) throws SQLException {
        newsroom.versions().act(tx, actor, who);
        return newsroom.versions().<SQLException>recording(tx, ARTICLES, 1, work -> Newsroom.run(work, sql));
    }

    @Test
    void editorsSaveMakesAVersion() throws SQLException {
        assertThat(save(Actor.EDITOR, "ana", "UPDATE article SET title = 'A', row_version = 1 WHERE id = 1"))
                .hasValue(1);
        assertThat(save(Actor.EDITOR, "it's ben", "UPDATE article SET title = NULL WHERE id = 1"))
                .hasValue(2);

        assertThat(newsroom.versionRows())
                .containsExactly(
                        "1|1|ana|{\"title\": {\"after\": \"A\", \"before\": \"One\"}}",
                        "1|2|it's ben|{\"title\": {\"after\": null, \"before\": \"A\"}}");
        assertThat(newsroom.logRows()).isEmpty();
    }

    @Test
    void systemsWriteMakesALogEntry() throws SQLException {
        assertThat(save(Actor.SYSTEM, "counter", "UPDATE article SET words = 7 WHERE id = 1"))
                .isEmpty();

        assertThat(newsroom.versionRows()).isEmpty();
        assertThat(newsroom.logRows()).containsExactly("1|counter|{\"words\": {\"after\": 7, \"before\": 1}}");
    }

    @Test
    void whoSaysNothingIsAnEditor() throws SQLException {
        newsroom.transactions()
                .run(tx -> newsroom.versions()
                        .recording(
                                tx,
                                ARTICLES,
                                1,
                                work -> Newsroom.run(work, "UPDATE article SET words = 7 WHERE id = 1")));

        assertThat(newsroom.versionRows())
                .containsExactly("1|1|" + newsroom.session().value("SELECT session_user")
                        + "|{\"words\": {\"after\": 7, \"before\": 1}}");
    }

    @Test
    void whatChangesNothingMakesNeither() throws SQLException {
        String nothing = "UPDATE article SET title = title, row_version = row_version + 1 WHERE id = 1";
        for (Actor actor : Actor.values()) {
            assertThat(save(actor, "x", nothing)).isEmpty();
        }

        assertThat(newsroom.versionRows()).isEmpty();
        assertThat(newsroom.logRows()).isEmpty();
        assertThat(newsroom.session().rows("SELECT * FROM cerrojo.version_head"))
                .isEmpty();
    }

    @Test
    void oneTransactionIsOneVersionOfWhatItChangedAtTheEnd() throws SQLException {
        newsroom.transactions().run(tx -> {
            save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'A', words = 2 WHERE id = 1");
            save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'B', words = 1 WHERE id = 1");
        });
        newsroom.transactions().run(tx -> {
            save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'C' WHERE id = 1");
            assertThat(save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'B' WHERE id = 1"))
                    .isEmpty();
        });
        save(Actor.EDITOR, "ana", "UPDATE article SET title = 'D' WHERE id = 1");

        assertThat(newsroom.versionRows())
                .containsExactly(
                        "1|1|ana|{\"title\": {\"after\": \"B\", \"before\": \"One\"}}",
                        "1|2|ana|{\"title\": {\"after\": \"D\", \"before\": \"B\"}}");
    }

    @Test
    void oneTransactionOfTheSystemIsOneEntryOfWhatItChangedAtTheEnd() throws SQLException {
        newsroom.transactions().run(tx -> {
            save(tx, Actor.SYSTEM, "job", "UPDATE article SET title = 'A' WHERE id = 1");
            save(tx, Actor.SYSTEM, "job", "UPDATE article SET title = 'B' WHERE id = 1");
        });
        newsroom.transactions().run(tx -> {
            save(tx, Actor.SYSTEM, "job", "UPDATE article SET title = 'C' WHERE id = 1");
            save(tx, Actor.SYSTEM, "job", "UPDATE article SET title = 'B' WHERE id = 1");
        });

        assertThat(newsroom.logRows()).containsExactly("1|job|{\"title\": {\"after\": \"B\", \"before\": \"One\"}}");
    }

    @Test
    void actorsOfOneTransactionAreToldApart() throws SQLException {
        newsroom.transactions().run(tx -> {
            save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'A' WHERE id = 1");
            save(tx, Actor.SYSTEM, "counter", "UPDATE article SET words = 9 WHERE id = 1");
        });

        assertThat(newsroom.versionRows())
                .containsExactly("1|1|ana|{\"title\": {\"after\": \"A\", \"before\": \"One\"}}");
        assertThat(newsroom.logRows()).containsExactly("1|counter|{\"words\": {\"after\": 9, \"before\": 1}}");
    }

    @Test
    void whatWasMadeAndWhatIsGoneIsTold() throws SQLException {
        save(Actor.EDITOR, "ana", "DELETE FROM article WHERE id = 1");
        save(Actor.EDITOR, "ana", "INSERT INTO article VALUES (1, 'New', NULL, 1)");

        assertThat(newsroom.versionRows())
                .containsExactly(
                        "1|1|ana|{\"id\": {\"before\": 1}, \"body\": {\"before\": \"b\"}, \"title\": {\"before\": \"One\"}, \"words\": {\"before\": 1}}",
                        "1|2|ana|{\"id\": {\"after\": 1}, \"body\": {\"after\": null}, \"title\": {\"after\": \"New\"}, \"words\": {\"after\": 1}}");
    }

    @Test
    void whatWasMadeAndIsGoneAgainLeavesNothing() throws SQLException {
        newsroom.transactions().run(tx -> {
            newsroom.versions()
                    .recording(tx, ARTICLES, 9, work -> Newsroom.run(work, "INSERT INTO article VALUES (9)"));
            newsroom.versions().recording(tx, ARTICLES, 9, work -> Newsroom.run(work, "DELETE FROM article"));
        });

        assertThat(newsroom.versionRows()).isEmpty();
    }

    @Test
    void saveThatIsRolledBackLeavesNothingAndTakesNoNumber() throws SQLException {
        assertThat(catchThrowable(() -> newsroom.transactions().run(tx -> {
                    save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'A' WHERE id = 1");
                    throw new IllegalStateException("no");
                })))
                .hasMessage("no");
        assertThat(newsroom.versionRows()).isEmpty();

        assertThat(save(Actor.EDITOR, "ana", "UPDATE article SET title = 'B' WHERE id = 1"))
                .hasValue(1);
    }

    @Test
    void savepointTakesItsPartBack() throws SQLException {
        newsroom.transactions().run(tx -> {
            save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'A' WHERE id = 1");
            java.sql.Savepoint savepoint = tx.connection().setSavepoint();
            save(tx, Actor.EDITOR, "ana", "UPDATE article SET body = 'x' WHERE id = 1");
            tx.connection().rollback(savepoint);
        });

        assertThat(newsroom.versionRows())
                .containsExactly("1|1|ana|{\"title\": {\"after\": \"A\", \"before\": \"One\"}}");
    }

    @Test
    void entityThatIsNoTableIsRecordedAsGiven() throws SQLException {
        Entity settings = Entity.of("settings", "shop/7");
        assertThat(newsroom.transactions()
                        .<OptionalLong, SQLException>call(tx -> newsroom.versions()
                                .record(tx, settings, Optional.empty(), Optional.of("{\"a\": [1, 2], \"b\": null}"))))
                .hasValue(1);
        newsroom.transactions()
                .run(tx -> newsroom.versions()
                        .record(tx, settings, Optional.of("{\"a\": [1, 2]}"), Optional.of("{\"a\": [1,2]}")));

        assertThat(newsroom.versionRows())
                .containsExactly("shop/7|1|" + newsroom.session().value("SELECT session_user")
                        + "|{\"a\": {\"after\": [1, 2]}, \"b\": {\"after\": null}}");
    }

    @Test
    void partsHaveTheVersionsOfTheirEntity() throws SQLException {
        newsroom.transactions().run(tx -> {
            save(tx, Actor.EDITOR, "ana", "UPDATE article SET title = 'A' WHERE id = 1");
            newsroom.versions()
                    .recording(
                            tx,
                            SEO,
                            1,
                            work -> Newsroom.run(work, "UPDATE article_seo SET slug = 'a' WHERE article_id = 1"));
        });

        assertThat(newsroom.versions().versionsOf(ONE, 10).entries().get(0).fields())
                .containsExactly("article_seo.slug", "title");
    }

    @Test
    void besideTriggersItMakesOneRow() throws SQLException {
        newsroom.withTriggers();
        save(Actor.EDITOR, "ana", "UPDATE article SET title = 'A' WHERE id = 1");
        save(Actor.SYSTEM, "counter", "UPDATE article SET words = 9 WHERE id = 1");
        save(Actor.EDITOR, "ana", "UPDATE article SET title = title WHERE id = 1");

        assertThat(newsroom.versionRows())
                .containsExactly("1|1|ana|{\"title\": {\"after\": \"A\", \"before\": \"One\"}}");
        assertThat(newsroom.logRows()).containsExactly("1|counter|{\"words\": {\"after\": 9, \"before\": 1}}");
    }

    @Test
    void namesAndKeysAreChecked() {
        assertThat(List.of(
                        catchThrowable(() -> VersionedTable.of("a; b", "id")),
                        catchThrowable(() -> VersionedTable.of("article")),
                        catchThrowable(() -> ARTICLES.entity(1, 2)),
                        catchThrowable(() -> ARTICLES.ignoring("ID")),
                        catchThrowable(() -> newsroom.transactions()
                                .run(tx -> newsroom.versions().act(tx, Actor.EDITOR, " "))),
                        catchThrowable(() -> newsroom.versions().versionsOf(ONE, 0)),
                        catchThrowable(() -> PageCursor.parse("x")),
                        catchThrowable(() -> Retention.defaults().withVersionsKept(0))))
                .allSatisfy(thrown -> assertThat(thrown).isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void composedKeysAreWrittenAsTheDatabaseWritesThem() throws SQLException {
        newsroom.session().run("CREATE TABLE page (id bigint, lang text, text text, PRIMARY KEY (id, lang))");
        VersionedTable pages = VersionedTable.of("page", "id", "lang");
        VersionTriggers.over(newsroom.database().dataSource())
                .install(VersionTrigger.of(pages, VersionTriggerOptions.defaults()), Installation.defaults());
        String odd = "d\"e\\\n\u0001ü";
        newsroom.transactions()
                .run(tx -> newsroom.versions().recording(tx, pages, List.of(7L, odd), work -> {
                    try (var insert = work.connection().prepareStatement("INSERT INTO page VALUES (7, ?, 'x')")) {
                        insert.setString(1, odd);
                        insert.executeUpdate();
                    }
                }));

        assertThat(newsroom.versionRows()).hasSize(1);
        assertThat(newsroom.versions().versionsOf(pages.entity(7, odd), 10).entries())
                .hasSize(1);
    }
}
