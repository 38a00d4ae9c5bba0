package dev.cerrojo.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.Actor;
import dev.cerrojo.RowGoneException;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.UpdateSuppressedException;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.TransactionFailedException;
import dev.cerrojo.tx.Transactions;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnedTablePostgresTest {
    private static final Ownership ARTICLES = Ownership.of("article", "id")
            .version("version")
            .editorOwned("title", "price", "note", "labels", "meta", "code")
            .systemOwned("summary")
            .shared("tags", Merge.union())
            .shared("views", Merge.delta())
            .shared("seen", Merge.greater())
            .shared("source", Merge.firstWins())
            .build();

    private static TestDatabase database;
    private static Transactions transactions;

    private final OwnedTable articles = OwnedTable.of(ARTICLES);
    private Session session;

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
        transactions = Transactions.over(database.dataSource());
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void article() throws SQLException {
        session = Session.of(database);
        session.run("""
                DROP TABLE IF EXISTS article;
                DROP COLLATION IF EXISTS lax;
                CREATE COLLATION lax (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
                CREATE TABLE article (id int PRIMARY KEY, title text COLLATE lax, price numeric(10, 2), note char(5),
                  labels text[], meta json, code uuid, summary text, tags text[], views bigint, seen date, source text,
                  version bigint NOT NULL DEFAULT 0, writes int NOT NULL DEFAULT 0);
                CREATE OR REPLACE FUNCTION count_writes() RETURNS trigger LANGUAGE plpgsql AS $$
                  BEGIN NEW.writes := OLD.writes + 1; RETURN NEW; END $$;
                CREATE TRIGGER count_writes BEFORE UPDATE ON article FOR EACH ROW EXECUTE FUNCTION count_writes();
                INSERT INTO article (id, title, price, note, labels, meta, code, summary, tags, views, version)
                VALUES (7, 'Old', 1.50, 'abc', '{x}', '{"a": 1}', '00000000-0000-0000-0000-000000000001', 's', '{a,b}', 5, 3)
                """);
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    private Written write(Write write) {
        return transactions.<Written, RuntimeException>call(tx -> articles.write(tx, 7, write));
    }

    private static Write save() {
        return Write.by(Actor.EDITOR).atVersion(3);
    }

    private String row(String columns) throws SQLException {
        return session.value("SELECT " + columns + ", version, writes FROM article");
    }

    @Test
    void anEditorsSaveCountsTheVersionUp() throws SQLException {
        assertThat(write(save().set("title", "New").set("labels", List.of("q\"1", "\\"))))
                .isEqualTo(new Written(true, Optional.of(4L), java.util.Map.of()));
        assertThat(row("title, labels[1], labels[2], summary")).isEqualTo("New|q\"1|\\|s|4|1");
    }

    @Test
    void whatTheSystemWritesLeavesTheVersion() throws SQLException {
        assertThat(write(Write.by(Actor.SYSTEM).atVersion(3).set("summary", "t"))
                        .version())
                .contains(3L);
        assertThat(row("title, summary")).isEqualTo("Old|t|3|1");
    }

    @Test
    void staleAndGoneAreToldApartOnBothWays() {
        for (Write stale : List.of(
                Write.by(Actor.EDITOR).atVersion(2).set("title", "x"),
                Write.by(Actor.SYSTEM).atVersion(2).set("summary", "x"))) {
            assertThatThrownBy(() -> write(stale))
                    .isInstanceOf(StaleVersionException.class)
                    .hasMessageContaining("article id=7 is at version 3, but version 2 was expected");
            assertThatThrownBy(() -> transactions.run(tx -> articles.write(tx, 8, stale)))
                    .isInstanceOf(RowGoneException.class)
                    .hasMessageContaining("article id=8 is not there");
        }
    }

    @Test
    void theWrongActorIsRefusedBeforeAnythingIsSent() {
        Transactions nowhere = Transactions.over(database.dataSource());

        nowhere.run(tx -> {
            assertThatThrownBy(() -> articles.write(tx, 7, save().set("summary", "x")))
                    .isInstanceOf(WrongActorException.class);
            assertThatThrownBy(() -> articles.write(
                            tx, 7, Write.by(Actor.SYSTEM).atVersion(3).set("title", "x")))
                    .isInstanceOf(WrongActorException.class);
            assertThat(session.value("SELECT count(*) FROM pg_locks WHERE relation = 'article'::regclass"))
                    .isEqualTo("0");
        });
    }

    @Test
    void whatAWriteLacksIsSaid() {
        assertThatThrownBy(() -> write(Write.by(Actor.EDITOR).set("title", "x")))
                .hasMessageContaining("atVersion(…) as it was read, or atAnyVersion()");
        assertThatThrownBy(() -> write(save().set("tags", List.of())))
                .hasMessageContaining("merge(\"tags\", asRead, value)");
        assertThatThrownBy(() -> write(save().merge("title", "a", "b"))).hasMessageContaining("set(\"title\", …)");
    }

    @Test
    void aSaveThatChangesNothingWritesNothing() throws SQLException {
        Written written = write(save().set("title", "Old")
                .set("price", new BigDecimal("1.5"))
                .set("note", "abc")
                .set("labels", List.of("x"))
                .set("meta", "{\"a\": 1}")
                .set("code", UUID.fromString("00000000-0000-0000-0000-000000000001")));

        assertThat(written).isEqualTo(new Written(false, Optional.of(3L), java.util.Map.of()));
        assertThat(row("title")).isEqualTo("Old|3|0");
        assertThat(write(Write.by(Actor.SYSTEM).atAnyVersion().set("summary", "s"))
                        .changed())
                .isFalse();
        assertThat(write(Write.by(Actor.SYSTEM).merge("tags", List.of("a"), List.of("a")))
                        .changed())
                .isFalse();
        assertThat(write(save()).changed()).isFalse();
        assertThat(row("title")).isEqualTo("Old|3|0");
    }

    /** Where text ignores case, equal is not the same. */
    @Test
    void aChangeThatIsEqualIsAChange() throws SQLException {
        assertThat(write(save().set("title", "OLD")).changed()).isTrue();
        assertThat(row("title")).isEqualTo("OLD|4|1");
    }

    @Test
    void nullIsAValue() throws SQLException {
        write(save().set("title", null).set("labels", null));
        assertThat(row("title, labels")).isEqualTo("||4|1");
        assertThat(write(Write.by(Actor.EDITOR).atVersion(4).set("title", null)).changed())
                .isFalse();
    }

    @Test
    void sharedFieldsAreMergedWithWhatIsThere() throws SQLException {
        session.run("UPDATE article SET tags = '{b,c}', views = 9, seen = '2026-01-02', source = 'mail', writes = 0");

        Written written = write(Write.by(Actor.SYSTEM)
                .merge("tags", List.of("a", "b"), List.of("b", "d"))
                .merge("views", 5, 7)
                .set("seen", java.sql.Date.valueOf("2026-01-01"))
                .set("source", "import"));

        assertThat(row("tags::text, views, seen, source")).isEqualTo("{b,c,d}|11|2026-01-02|mail|3|2");
        assertThat(written.merged())
                .containsEntry("tags", List.of("b", "c", "d"))
                .containsEntry("source", "mail");
    }

    @Test
    void aSaveOfOwnAndSharedFieldsIsOneWrite() throws SQLException {
        write(save().set("title", "Old").merge("tags", List.of("a", "b"), List.of("a")));
        assertThat(row("title, tags::text")).isEqualTo("Old|{a}|3|1");

        write(save().set("title", "New").merge("tags", List.of("a"), List.of("a", "z")));
        assertThat(row("title, tags::text")).isEqualTo("New|{a,z}|4|2");
        assertThatThrownBy(() -> write(save().set("title", "x").merge("tags", List.of("a"), List.of())))
                .isInstanceOf(StaleVersionException.class);
    }

    @Test
    void aMergeOfOnesOwnIsApplied() throws SQLException {
        Merge longer = Merge.by(
                "longer",
                (base, present, proposed) -> present != null
                                && present.toString().length()
                                        >= String.valueOf(proposed).length()
                        ? present
                        : proposed);
        OwnedTable own = OwnedTable.of(
                Ownership.of("article", "id").shared("source", longer).build());

        for (String source : List.of("abc", "abcdef", "x")) {
            transactions.run(tx -> own.write(tx, 7, Write.by(Actor.SYSTEM).merge("source", null, source)));
        }

        assertThat(row("source")).isEqualTo("abcdef|3|2");
    }

    @Test
    void aRowThatATriggerKeepsIsNamed() throws SQLException {
        session.run("""
                CREATE OR REPLACE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
                CREATE TRIGGER keep BEFORE UPDATE ON article FOR EACH ROW EXECUTE FUNCTION keep()""");

        assertThatThrownBy(() -> write(save().set("title", "x"))).isInstanceOf(UpdateSuppressedException.class);
        assertThatThrownBy(() -> write(Write.by(Actor.SYSTEM).atVersion(3).set("summary", "x")))
                .isInstanceOf(UpdateSuppressedException.class)
                .hasMessageContaining("is at version 3, as expected, but the UPDATE changed nothing");
    }

    @Test
    void aKeyThatIsNoneIsRefused() throws SQLException {
        session.run("INSERT INTO article (id, summary, title) VALUES (8, 's', 't')");
        OwnedTable wrong = OwnedTable.of(
                Ownership.of("article", "summary").editorOwned("title").build());

        assertThatThrownBy(() -> transactions.run(
                        tx -> wrong.write(tx, "s", Write.by(Actor.EDITOR).set("title", "x"))))
                .hasMessageContaining("is no key, since 2 rows have it");
    }

    @Test
    void severalColumnsMayBeTheKey() throws SQLException {
        session.run("UPDATE article SET source = 'a'");
        OwnedTable pairs = OwnedTable.of(
                Ownership.of("article", "id", "source").editorOwned("title").build());

        transactions.run(
                tx -> pairs.write(tx, List.of(7, "a"), Write.by(Actor.EDITOR).set("title", "x")));

        assertThat(row("title")).startsWith("x|");
    }

    @Test
    void triggersAreToldWhoActsAndWhatIsMerged() throws SQLException {
        session.run("""
                CREATE OR REPLACE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  NEW.source := current_setting('cerrojo.actor') || current_setting('cerrojo.merging', true); RETURN NEW; END $$;
                CREATE TRIGGER tell BEFORE UPDATE ON article FOR EACH ROW EXECUTE FUNCTION tell()""");

        transactions.run(tx -> {
            articles.write(tx, 7, Write.by(Actor.SYSTEM).merge("views", 0, 1));
            articles.write(tx, 7, save().set("title", "x"));
        });
        assertThat(row("source")).isEqualTo("editor|4|2");

        write(Write.by(Actor.SYSTEM).merge("views", 0, 1));
        assertThat(row("source")).isEqualTo("systemon|4|3");
    }

    @Test
    void aMergeWaitsForWhoeverIsWriting() throws Exception {
        session.connection().setAutoCommit(false);
        session.run("UPDATE article SET tags = '{a,b,c}'");
        CompletableFuture<Written> merge = CompletableFuture.supplyAsync(
                () -> write(Write.by(Actor.SYSTEM).merge("tags", List.of("a", "b"), List.of("a"))));
        try (Session monitor = Session.of(database)) {
            session.awaitBlocking(monitor);
        }
        session.connection().commit();

        assertThat(merge.get().merged()).containsEntry("tags", List.of("a", "c"));
        session.connection().setAutoCommit(true);
    }

    @Test
    void aColumnThatIsNotThereFailsAsPostgresSays() {
        OwnedTable wrong = OwnedTable.of(
                Ownership.of("article", "id").editorOwned("nonsense").build());

        assertThatThrownBy(() -> transactions.run(
                        tx -> wrong.write(tx, 7, Write.by(Actor.EDITOR).set("nonsense", 1))))
                .isInstanceOf(TransactionFailedException.class)
                .hasMessageContaining("nonsense");
    }
}
