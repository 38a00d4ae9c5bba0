package dev.cerrojo.version;

import static dev.cerrojo.version.Newsroom.ARTICLES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cerrojo.Actor;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Installation.Outcome;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.TablesBusyException;
import dev.cerrojo.sessions.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What triggers record of raw SQL, and whether they are as they should be. */
class VersionTriggersPostgresTest {
    private static final VersionTriggerOptions DEFAULTS = VersionTriggerOptions.defaults();
    private static final VersionTrigger TRIGGER = VersionTrigger.of(ARTICLES, DEFAULTS);

    private Newsroom newsroom;
    private Session session;
    private VersionTriggers triggers;

    @BeforeEach
    void open() throws SQLException {
        newsroom = new Newsroom().withTriggers();
        session = newsroom.session();
        triggers = VersionTriggers.over(newsroom.database().dataSource());
    }

    @AfterEach
    void close() throws SQLException {
        newsroom.close();
    }

    private Outcome install(VersionTrigger trigger) throws SQLException {
        return triggers.install(trigger, Installation.defaults().withReplace(true));
    }

    private static String says(String actor) {
        return "SET LOCAL cerrojo.actor = '" + actor + "'; SET LOCAL cerrojo.who = '" + actor + " 1'";
    }

    private void transaction(String... statements) throws SQLException {
        session.run("BEGIN");
        session.run(List.of(statements));
        session.run("COMMIT");
    }

    private static List<Kind> kinds(List<Finding> findings) {
        return findings.stream().map(Finding::kind).toList();
    }

    /** One version too many is seen; one too few is not. */
    @Test
    void anActorWhomNobodyKnowsIsAnEditor() throws SQLException {
        transaction("SET LOCAL cerrojo.actor = 'Editor'", "UPDATE article SET title = 'A' WHERE id = 1");
        assertThat(newsroom.versionRows()).hasSize(1);
    }

    /** There and back again, with somebody else in between: nothing is changed, and nothing is said of what was not there. */
    @Test
    void whatIsBackWhereItWasIsNoVersion() throws SQLException {
        transaction(
                says("editor"),
                "UPDATE article SET title = title || ' b' WHERE id = 1",
                says("system"),
                "UPDATE article SET title = title || ' c' WHERE id = 1",
                says("editor"),
                "UPDATE article SET title = left(title, -4) WHERE id = 1");
        assertThat(newsroom.versionRows()).isEmpty();
    }

    @Test
    void eachStatementIsRecordedInTheRowOfItsTransaction() throws SQLException {
        transaction(
                says("editor"),
                "UPDATE article SET title = 'A' WHERE id = 1",
                "UPDATE article SET title = upper(title) || '!' , row_version = 3",
                says("system"),
                "UPDATE article SET words = 5 WHERE id = 2",
                "UPDATE article_seo SET slug = 'x' WHERE article_id = 2");

        assertThat(newsroom.versionRows())
                .containsExactly(
                        "1|1|editor 1|{\"title\": {\"after\": \"A!\", \"before\": \"One\"}}",
                        "2|1|editor 1|{\"title\": {\"after\": \"TWO!\", \"before\": \"Two\"}}");
        assertThat(newsroom.logRows())
                .containsExactly(
                        "2|system 1|{\"words\": {\"after\": 5, \"before\": 1}, \"article_seo.slug\": {\"after\": \"x\", \"before\": \"two\"}}");
    }

    @Test
    void whatChangesNothingIsNotRecorded() throws SQLException {
        session.run("UPDATE article SET title = title, row_version = row_version + 1");
        session.run("DELETE FROM article WHERE id = 99");
        transaction("UPDATE article SET title = title || 'x'", "UPDATE article SET title = left(title, 3)");

        assertThat(newsroom.versionRows()).isEmpty();
        assertThat(newsroom.logRows()).isEmpty();
    }

    /** The trigger's own statement is recorded before the one that fired it. */
    @Test
    void statementsOfTriggersAreJoinedInTheRightOrder() throws SQLException {
        session.run("""
                CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  UPDATE article SET title = upper(title) WHERE id = NEW.id AND title <> upper(title);
                  RETURN NULL;
                END $$;
                CREATE TRIGGER a_shout AFTER UPDATE ON article FOR EACH ROW EXECUTE FUNCTION shout()""");
        session.run("UPDATE article SET title = 'loud' WHERE id = 1");

        assertThat(newsroom.versionRows())
                .singleElement()
                .asString()
                .endsWith("|{\"title\": {\"after\": \"LOUD\", \"before\": \"One\"}}");
    }

    @Test
    void upsertsCascadesAndChangedKeysAreRecorded() throws SQLException {
        session.run("INSERT INTO article VALUES (1, 'Up', 'b', 1), (3, 'Three', 'b', 1)"
                + " ON CONFLICT (id) DO UPDATE SET title = EXCLUDED.title");
        session.run("DELETE FROM article WHERE id = 2");
        session.run("UPDATE article SET id = 4 WHERE id = 3");

        assertThat(
                        session.rows(
                                "SELECT entity_key, version, ARRAY(SELECT jsonb_object_keys(changes) ORDER BY 1) FROM cerrojo.version ORDER BY 1, 2"))
                .containsExactly(
                        "1|1|{title}",
                        "2|1|{article_seo.article_id,article_seo.slug,body,id,title,words}",
                        "3|1|{body,id,title,words}",
                        "3|2|{body,id,title,words}",
                        "4|1|{body,id,title,words}");
    }

    @Test
    void partitionsAreCoveredHoweverTheyAreWritten() throws SQLException {
        session.run("""
                CREATE TABLE note (id int, year int, text text, PRIMARY KEY (id, year)) PARTITION BY RANGE (year);
                CREATE TABLE note_a PARTITION OF note FOR VALUES FROM (0) TO (10);
                CREATE TABLE note_b PARTITION OF note FOR VALUES FROM (10) TO (20) PARTITION BY LIST (year);
                CREATE TABLE note_b1 PARTITION OF note_b FOR VALUES IN (11)""");
        VersionTrigger notes = VersionTrigger.of(VersionedTable.of("note", "id", "year"), DEFAULTS);
        assertThat(install(notes)).isEqualTo(Outcome.INSTALLED);
        session.run("INSERT INTO note_a VALUES (1, 1, 'x')");
        session.run("UPDATE note SET year = 11");
        session.run("UPDATE note_b1 SET text = 'y'");

        assertThat(session.rows("SELECT entity_key, version FROM cerrojo.version ORDER BY 1, 2"))
                .containsExactly("[1, 11]|1", "[1, 11]|2", "[1, 1]|1", "[1, 1]|2");
        session.run("CREATE TABLE note_c PARTITION OF note FOR VALUES FROM (20) TO (30)");
        assertThat(kinds(triggers.verify(notes))).hasSize(4).containsOnly(Kind.TABLE_UNCOVERED);
        assertThat(install(notes)).isEqualTo(Outcome.REPLACED);
        session.run("ALTER TABLE note DETACH PARTITION note_c");
        assertThat(kinds(triggers.verify(notes))).hasSize(4).containsOnly(Kind.TRIGGER_UNEXPECTED);
        triggers.drop(notes, Installation.defaults());
        assertThat(kinds(triggers.verify(notes))).containsExactly(Kind.NOT_INSTALLED);
    }

    @Test
    void truncateIsRefusedUnlessVersionsAreSuppressed() throws SQLException {
        assertThat(session.sqlState("TRUNCATE article CASCADE")).isEqualTo("55000");

        newsroom.transactions().run(tx -> {
            try (Suppression all = newsroom.versions().suppress(tx)) {
                Newsroom.run(tx, "TRUNCATE article CASCADE");
            }
        });
        assertThat(session.rows("SELECT FROM article")).isEmpty();
    }

    @Test
    void replicaSessionsPassItByUnlessItIsAlways() throws SQLException {
        String update =
                "SET LOCAL session_replication_role = replica; UPDATE article SET title = title || 'x' WHERE id = 1";
        transaction(update);
        assertThat(newsroom.versionRows()).isEmpty();

        newsroom.with(DEFAULTS.withAlwaysEnabled(true));
        transaction(update);
        assertThat(newsroom.versionRows()).hasSize(1);
        assertThat(triggers.verify(VersionTrigger.of(ARTICLES, DEFAULTS.withAlwaysEnabled(true))))
                .isEmpty();
        assertThat(kinds(triggers.verify(TRIGGER))).hasSize(4).containsOnly(Kind.TRIGGER_MODE);
    }

    @Test
    void whoSaysNothingIsWhomTheOptionsSay() throws SQLException {
        newsroom.with(DEFAULTS.withUnsaid(Actor.SYSTEM));
        session.run("UPDATE article SET title = 'A' WHERE id = 1");

        assertThat(newsroom.versionRows()).isEmpty();
        assertThat(newsroom.logRows()).hasSize(1);
    }

    @Test
    void settingsOfASessionDoNotChangeWhatIsRecorded() throws SQLException {
        session.run(
                "CREATE TABLE slot (id date PRIMARY KEY, at timestamptz, took interval, share float8, days daterange)");
        install(VersionTrigger.of(VersionedTable.of("slot", "id"), DEFAULTS));
        session.run("SET timezone = 'Asia/Tokyo'; SET intervalstyle = 'sql_standard';"
                + " SET extra_float_digits = -10; SET search_path = pg_temp");
        session.run(
                "INSERT INTO public.slot VALUES (date '2026-02-01', timestamptz '2026-02-01 00:00Z', '1 day 2 h', 1/3.0::float8, '[2026-02-01,2026-02-03)')");

        assertThat(session.value("SELECT entity_key || changes FROM cerrojo.version"))
                .isEqualTo(
                        "2026-02-01{\"at\": {\"after\": \"2026-02-01T00:00:00+00:00\"}, \"id\": {\"after\": \"2026-02-01\"},"
                                + " \"days\": {\"after\": \"[2026-02-01,2026-02-03)\"}, \"took\": {\"after\": \"P1DT2H\"},"
                                + " \"share\": {\"after\": 0.3333333333333333}}");
    }

    private static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry("CREATE TABLE t (id int)", "no unique index"),
            Map.entry("CREATE TABLE t (id int UNIQUE DEFERRABLE NOT NULL)", "no unique index"),
            Map.entry("CREATE TABLE t (id int, n int, PRIMARY KEY (id, n))", "no unique index"),
            Map.entry("CREATE TABLE t (id int UNIQUE)", "may be NULL"),
            Map.entry("CREATE TABLE t (id numeric PRIMARY KEY)", "whose equal values are written differently"),
            Map.entry("CREATE TABLE t (id timestamptz PRIMARY KEY)", "whose equal values are written differently"),
            Map.entry("CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE u () INHERITS (t)", "children by inheritance"),
            Map.entry(
                    "CREATE TABLE u (id int PRIMARY KEY); CREATE TABLE t (PRIMARY KEY (id)) INHERITS (u)",
                    "partition or child"),
            Map.entry("CREATE VIEW t AS SELECT 1 AS id", "no ordinary or partitioned table"),
            Map.entry("SELECT 1", "\"public.t\" does not exist"));

    @Test
    void tableThatCannotHaveVersionsIsRefused() throws SQLException {
        VersionTrigger trigger = VersionTrigger.of(VersionedTable.of("t", "id"), DEFAULTS);
        for (Map.Entry<String, String> refused : REFUSED.entrySet()) {
            session.run(refused.getKey());

            assertThat(catchThrowable(() -> install(trigger)))
                    .as(refused.getKey())
                    .isInstanceOf(VersionsNotPossibleException.class)
                    .hasMessageContaining(refused.getValue());
            session.run("DO $$ BEGIN IF to_regclass('t') IS NOT NULL THEN"
                    + " EXECUTE (SELECT CASE relkind WHEN 'v' THEN 'DROP VIEW t' ELSE 'DROP TABLE t CASCADE' END"
                    + " FROM pg_class WHERE oid = to_regclass('t')); END IF; END $$; DROP TABLE IF EXISTS u");
        }
        assertThat(kinds(triggers.verify(trigger))).containsExactly(Kind.NOT_INSTALLED);
    }

    @Test
    void columnsThatAreIgnoredMustBeThere() {
        VersionTrigger trigger = VersionTrigger.of(ARTICLES.ignoring("updated"), DEFAULTS);

        assertThat(catchThrowable(() -> install(trigger)))
                .hasMessageContaining("a column that is to be ignored does not exist");
    }

    @Test
    void ownTablesMustBeThere() throws SQLException {
        session.run("DROP TABLE cerrojo.version_head");
        assertThat(kinds(triggers.verify(TRIGGER))).containsExactly(Kind.TABLE_MISSING);
        triggers.drop(TRIGGER, Installation.defaults());
        assertThat(catchThrowable(() -> install(TRIGGER)))
                .isInstanceOf(VersionsNotPossibleException.class)
                .hasMessageContaining("./cerrojo schema install");
    }

    private static final List<String> DRIFTS = List.of(
            "DROP TRIGGER cerrojo_version_delete ON article | TRIGGER_MISSING",
            "ALTER TABLE article DISABLE TRIGGER cerrojo_version_update | TRIGGER_DISABLED",
            "ALTER TABLE article ENABLE REPLICA TRIGGER cerrojo_version_update | TRIGGER_DISABLED",
            "ALTER TABLE article ENABLE ALWAYS TRIGGER cerrojo_version_update | TRIGGER_MODE",
            "DROP TRIGGER cerrojo_version_update ON article; CREATE TRIGGER cerrojo_version_update AFTER UPDATE ON article REFERENCING OLD TABLE AS cerrojo_old NEW TABLE AS cerrojo_new FOR EACH STATEMENT WHEN (false) EXECUTE FUNCTION cerrojo.version_article() | TRIGGER_CHANGED",
            "CREATE TABLE other (id int); CREATE TRIGGER x AFTER INSERT ON other FOR EACH STATEMENT EXECUTE FUNCTION cerrojo.version_article() | TRIGGER_UNEXPECTED",
            "ALTER FUNCTION cerrojo.version_article() STABLE | FUNCTION_CHANGED",
            "ALTER FUNCTION cerrojo.version_article() SECURITY DEFINER | FUNCTION_CHANGED",
            "ALTER FUNCTION cerrojo.version_article() RESET timezone | FUNCTION_CHANGED",
            "CREATE OR REPLACE FUNCTION cerrojo.version_article() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END' | FUNCTION_CHANGED FUNCTION_CHANGED",
            "COMMENT ON FUNCTION cerrojo.version_article() IS 'x' | OTHER_DEFINITION",
            "ALTER TABLE article DROP CONSTRAINT article_pkey CASCADE | TABLE_UNFIT | ALTER TABLE article ADD PRIMARY KEY (id)",
            "ALTER TABLE article RENAME TO story | TABLE_MISSING TRIGGER_UNEXPECTED TRIGGER_UNEXPECTED TRIGGER_UNEXPECTED TRIGGER_UNEXPECTED | ALTER TABLE story RENAME TO article");

    @Test
    void driftIsFoundAndMended() throws SQLException {
        for (String line : DRIFTS) {
            String[] drift = line.split(" \\| ");
            session.run(drift[0]);

            assertThat(kinds(triggers.verify(TRIGGER)))
                    .as(line)
                    .isEqualTo(Arrays.stream(drift[1].split(" "))
                            .map(Kind::valueOf)
                            .toList());
            session.run(drift.length > 2 ? drift[2] : "SELECT 1");
            assertThat(install(TRIGGER))
                    .as(line)
                    .isEqualTo(drift.length == 2 ? Outcome.REPLACED : Outcome.ALREADY_INSTALLED);
        }
        assertThat(triggers.verify(TRIGGER)).isEmpty();
        assertThat(install(TRIGGER)).isEqualTo(Outcome.ALREADY_INSTALLED);
    }

    @Test
    void otherDefinitionIsReplaced() throws SQLException {
        VersionTrigger all = VersionTrigger.of(VersionedTable.of("article", "id"), DEFAULTS);
        assertThat(kinds(triggers.verify(all))).containsExactly(Kind.OTHER_DEFINITION);
        assertThat(catchThrowable(() -> triggers.install(all, Installation.defaults())))
                .isInstanceOfSatisfying(
                        VersionTriggersDifferException.class,
                        differ -> assertThat(kinds(differ.findings())).containsExactly(Kind.OTHER_DEFINITION));
        install(all);
        session.run("UPDATE article SET row_version = 8 WHERE id = 1");

        assertThat(newsroom.versionRows()).hasSize(1);
    }

    @Test
    void scriptsDoTheSameInAnySchema() throws SQLException {
        session.run(
                "CREATE SCHEMA \"O'Neil\"; CREATE TABLE \"O'Neil\".\"Ar%ticle\" (\"I d\" text PRIMARY KEY, \"a'b\" int)");
        Schema.over(newsroom.database().dataSource(), "Own \"Things\"").create();
        VersionTrigger trigger = VersionTrigger.of(
                VersionedTable.of("\"O'Neil\".\"Ar%ticle\"", "\"I d\""), DEFAULTS.withOwnSchema("Own \"Things\""));
        session.run(trigger.installSql());
        assertThat(triggers.verify(trigger)).isEmpty();
        session.run("INSERT INTO \"O'Neil\".\"Ar%ticle\" VALUES ('k', 1)");

        assertThat(newsroom.versions()
                        .withSchema("Own \"Things\"")
                        .versionsOf(trigger.table().entity("k"), 10)
                        .entries())
                .singleElement()
                .satisfies(version -> assertThat(version.fields()).containsExactly("I d", "a'b"));
        session.run(trigger.dropSql());
        assertThat(kinds(triggers.verify(trigger))).containsExactly(Kind.NOT_INSTALLED);
    }

    @Test
    void busyTableIsToldAndLeftAlone() throws Exception {
        try (Session writer = Session.of(newsroom.database())) {
            writer.run("BEGIN; UPDATE article SET words = 3");
            CompletableFuture<Throwable> dropped = CompletableFuture.supplyAsync(() -> catchThrowable(
                    () -> triggers.drop(TRIGGER, Installation.defaults().withLockTimeout(Duration.ofMillis(50)))));
            assertThat(dropped.get())
                    .isInstanceOf(TablesBusyException.class)
                    .hasMessageContaining("were not free within PT0.05S");
        }
        assertThat(triggers.verify(TRIGGER)).isEmpty();
    }
}
