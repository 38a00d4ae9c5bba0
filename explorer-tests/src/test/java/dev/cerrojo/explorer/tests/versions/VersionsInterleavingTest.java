package dev.cerrojo.explorer.tests.versions;

import static dev.cerrojo.explorer.tests.versions.Press.ARTICLES;
import static dev.cerrojo.explorer.tests.versions.Press.SEO;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.Actor;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.versions.Press.Way;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.version.Suppression;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Editors, an import without versions and workers at once, in every order of their steps; and each protection switched off. */
class VersionsInterleavingTest {
    /** Whoever imports makes no version; the editor of another article, at the same time, does. */
    @ParameterizedTest
    @CsvSource({
        "APPLICATION, READ_COMMITTED",
        "TRIGGERS, READ_COMMITTED",
        "TRIGGERS, REPEATABLE_READ",
        "TRIGGERS, SERIALIZABLE"
    })
    void suppressionOfOneTransactionIsNoOthers(Way way, Isolation level) throws SQLException {
        try (Press press = new Press(way, level)) {
            importing(press);
            press.race()
                    .session("editor", press.transaction(tx -> press.save(tx, ARTICLES, 2, "title", "edited")))
                    .holds("the editor's save has its version", Press.WITHOUT_A_VERSION + " AND a.id = 2")
                    .holds("the import has none", "SELECT FROM cerrojo.version WHERE entity_key = '1'")
                    .holds("the import is logged", notOne("cerrojo.operation_log WHERE entity_key = '1'"));

            press.holds("an import beside an editor of another article", level);
        }
    }

    /** They take ten seconds together. */
    @ParameterizedTest
    @EnumSource(names = {"REPEATABLE_READ", "SERIALIZABLE"})
    @EnabledIfSystemProperty(named = "cerrojo.versions.long", matches = "true")
    void suppressionOfOneTransactionIsNoOthersInTheApplication(Isolation level) throws SQLException {
        suppressionOfOneTransactionIsNoOthers(Way.APPLICATION, level);
    }

    /** The same article: one waits for the other, or is run again. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void suppressionDoesNotReachWhoWaitsForIt(Isolation level) throws SQLException {
        try (Press press = new Press(Way.TRIGGERS, level)) {
            importing(press);
            press.race()
                    .session("editor", press.transaction(tx -> press.save(tx, ARTICLES, 1, "words", "7")))
                    .holds(
                            "the editor's save has its version",
                            notOne("cerrojo.version WHERE changes = '{\"words\": {\"before\": 0, \"after\": 7}}'"));

            press.holds("an import beside an editor of the same article", level);
        }
    }

    private static void importing(Press press) {
        press.race().session("import", press.transaction(tx -> {
            try (Suppression all = press.versions().suppress(tx)) {
                press.save(tx, ARTICLES, 1, "title", "imported");
            }
        }));
    }

    private static String notOne(String from) {
        return "SELECT * FROM (SELECT count(*) AS rows FROM " + from + ") AS c WHERE rows <> 1";
    }

    /** The control: one counter for all threads. */
    @Test
    void globalCounterSuppressesTheEditorsVersion() throws SQLException {
        GlobalVersionGuard guard = new GlobalVersionGuard();
        try (Press press = new Press(Way.APPLICATION, Isolation.READ_COMMITTED)) {
            Findings findings = press.race()
                    .beforeEach(guard::reset)
                    .session("import", press.transaction(tx -> {
                        guard.disable();
                        try {
                            Press.write(tx, "UPDATE article SET title = 'imported' WHERE id = 1");
                        } finally {
                            guard.enable();
                        }
                    }))
                    .session("editor", press.transaction(tx -> {
                        if (guard.isEnabled()) {
                            press.save(tx, ARTICLES, 2, "title", "edited");
                        } else {
                            Press.write(tx, "UPDATE article SET title = 'edited' WHERE id = 2");
                        }
                    }))
                    .holds("the editor's save has its version", Press.WITHOUT_A_VERSION + " AND a.id = 2")
                    .explore();

            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        }
    }

    private static final String MADE_ONCE = notOne("cerrojo.version WHERE changes -> 'id' -> 'after' IS NOT NULL");

    private static String upsert(String title) {
        return "INSERT INTO article VALUES (9, '%s', 0) ON CONFLICT (id) DO UPDATE SET title = excluded.title"
                .formatted(title);
    }

    /** The row is not there to be locked. */
    @ParameterizedTest
    @EnumSource(Isolation.class)
    void ofTwoWhoWouldMakeAnArticleOneMakesIt(Isolation level) throws SQLException {
        try (Press press = new Press(Way.APPLICATION, level)) {
            for (String title : List.of("one", "other")) {
                press.race()
                        .session(
                                title,
                                press.transaction(tx -> press.versions()
                                        .recording(tx, ARTICLES, 9, work -> Press.write(work, upsert(title)))));
            }
            press.race().holds("it is made once", MADE_ONCE).holds("numbers are 1 and 2", Press.GAPS);

            press.holds("two who make one article", level);
        }
    }

    /** The control: looked for, but not locked. */
    @Test
    void lookingBeforeMakingMakesItTwice() throws SQLException {
        try (Press press = new Press(Way.APPLICATION, Isolation.READ_COMMITTED)) {
            for (String title : List.of("one", "other")) {
                press.race().session(title, press.transaction(tx -> {
                    Optional<String> before = Press.find(tx, "SELECT to_jsonb(a)::text FROM article AS a WHERE id = 9");
                    Press.write(tx, upsert(title));
                    press.versions()
                            .record(
                                    tx,
                                    ARTICLES.entity(9),
                                    before,
                                    Optional.of("{\"id\": 9, \"words\": 0, \"title\": \"%s\"}".formatted(title)));
                }));
            }
            Findings findings = press.race().holds("it is made once", MADE_ONCE).explore();

            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        }
    }

    /** They write different rows of one article, so that no lock of these puts them in order. */
    @ParameterizedTest
    @CsvSource({
        "APPLICATION, READ_COMMITTED", "APPLICATION, REPEATABLE_READ", "APPLICATION, SERIALIZABLE",
        "TRIGGERS, READ_COMMITTED", "TRIGGERS, REPEATABLE_READ", "TRIGGERS, SERIALIZABLE",
        "BOTH, READ_COMMITTED", "BOTH, REPEATABLE_READ", "BOTH, SERIALIZABLE"
    })
    void twoEditorsOfOneArticleGetTwoNumbers(Way way, Isolation level) throws SQLException {
        try (Press press = new Press(way, level)) {
            press.race()
                    .session("writer", press.transaction(tx -> press.save(tx, ARTICLES, 1, "title", "new")))
                    .session("seo", press.transaction(tx -> press.save(tx, SEO, 1, "slug", "new")))
                    .holds("numbers are 1 and 2", Press.GAPS)
                    .holds(
                            "each has its version",
                            "SELECT * FROM (SELECT count(*) AS versions FROM cerrojo.version) AS c WHERE versions <> 2");

            press.holds("two editors of parts of one article", level);
        }
    }

    /** The control: counting on from what is there, without the head's lock. */
    @Test
    void numbersCountedWithoutALockAreNotUnique() throws SQLException {
        try (Press press = new Press(Way.APPLICATION, Isolation.READ_COMMITTED)) {
            String count =
                    "INSERT INTO cerrojo.version SELECT 'article', '1', coalesce(max(version), 0) + 1, '%s', now(), '{}'"
                            + " FROM cerrojo.version WHERE entity_key = '1'";
            Findings findings = press.race()
                    .session("writer", press.transaction(tx -> Press.write(tx, count.formatted("writer"))))
                    .session("seo", press.transaction(tx -> Press.write(tx, count.formatted("seo"))))
                    .neverFails()
                    .explore();

            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
            assertThat(findings.text()).contains("23505");
        }
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void twoSavesOfOneFieldAreTwoVersionsWithTriggersAndApplicationTogether(Isolation level) throws SQLException {
        try (Press press = new Press(Way.BOTH, level)) {
            for (String editor : new String[] {"ana", "ben"}) {
                press.race()
                        .session(
                                editor,
                                press.transaction(tx -> press.versions()
                                        .recording(
                                                tx,
                                                ARTICLES,
                                                1,
                                                work -> Press.write(
                                                        work,
                                                        "UPDATE article SET title = '" + editor + "' WHERE id = 1"))));
            }
            press.race()
                    .holds("numbers are 1 and 2", Press.GAPS)
                    .holds("what the second changed is what the first left", """
                            SELECT * FROM (
                              SELECT string_agg(changes -> 'title' ->> 'before' || '>' || (changes -> 'title' ->> 'after'), ' ' ORDER BY version) AS chain
                              FROM cerrojo.version) AS c
                            WHERE chain IS NULL OR chain NOT IN ('old>ana ana>ben', 'old>ben ben>ana')""");

            press.holds("two editors of one field, recorded twice each", level);
        }
    }

    /** Whatever befalls an editor, the article and its versions agree; and the numbers of others have no gap. */
    @ParameterizedTest
    @CsvSource({"READ_COMMITTED, 1, 0", "READ_COMMITTED, 0, 1", "REPEATABLE_READ, 1, 0", "SERIALIZABLE, 1, 0"})
    void saveThatIsRolledBackLeavesNothing(Isolation level, int crashes, int lostAnswers) throws SQLException {
        try (Press press = new Press(Way.TRIGGERS, level)) {
            press.race()
                    .session("writer", press.transaction(tx -> press.save(tx, ARTICLES, 1, "title", "new")))
                    .session("seo", press.transaction(tx -> press.save(tx, SEO, 1, "slug", "new")))
                    .faults(crashes, lostAnswers)
                    .holds("a title that was saved has its version", Press.WITHOUT_A_VERSION)
                    .holds(
                            "what was not saved has none",
                            "SELECT FROM article WHERE id = 1 AND title = 'old' AND EXISTS (SELECT FROM cerrojo.version WHERE changes ? 'title')")
                    .holds("numbers have no gap", Press.GAPS);

            press.holds("editors with " + (crashes > 0 ? "a crash" : "a lost answer") + " anywhere", level);
        }
    }

    /** The control: the version is written once the save is committed. */
    @Test
    void versionInATransactionOfItsOwnIsLostInACrash() throws SQLException {
        try (Press press = new Press(Way.APPLICATION, Isolation.READ_COMMITTED)) {
            var save = press.transaction(tx -> Press.write(tx, "UPDATE article SET title = 'new' WHERE id = 1"));
            var version = press.transaction(tx -> press.save(tx, ARTICLES, 1, "title", "new"));
            Findings findings = press.race()
                    .session("writer", () -> {
                        save.run();
                        version.run();
                    })
                    .faults(1, 0)
                    .holds("a title that was saved has its version", Press.WITHOUT_A_VERSION)
                    .explore();

            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
        }
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void workersWriteIsLoggedBesideAnEditorsVersion(Isolation level) throws SQLException {
        try (Press press = new Press(Way.TRIGGERS, level)) {
            press.race()
                    .session("worker", press.transaction(tx -> {
                        press.versions().act(tx, Actor.SYSTEM, "counter");
                        press.save(tx, ARTICLES, 1, "words", "7");
                    }))
                    .session("editor", press.transaction(tx -> press.save(tx, ARTICLES, 1, "title", "new")))
                    .holds(
                            "one version, of the title",
                            notOne("cerrojo.version WHERE changes ? 'title' AND NOT changes ? 'words'"))
                    .holds("no other", notOne("cerrojo.version"))
                    .holds(
                            "one entry, of the words",
                            notOne("cerrojo.operation_log WHERE changes ? 'words' AND NOT changes ? 'title'"));

            press.holds("a worker beside an editor of the same article", level);
        }
    }
}
