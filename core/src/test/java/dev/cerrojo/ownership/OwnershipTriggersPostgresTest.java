package dev.cerrojo.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Finding.Kind;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Installation.Outcome;
import dev.cerrojo.schema.TablesBusyException;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Installing, verifying and dropping. */
class OwnershipTriggersPostgresTest {
    private static final Installation ONCE = Installation.defaults();
    private static final Ownership ARTICLES = Ownership.of("article", "id")
            .editorOwned("title")
            .systemOwned("summary")
            .build();
    private static final OwnershipTrigger REJECT = OwnershipTrigger.of(ARTICLES, OwnershipOptions.reject());
    private static final OwnershipTrigger PRESERVE = OwnershipTrigger.of(ARTICLES, OwnershipOptions.preserve());

    private static TestDatabase database;
    private static OwnershipTriggers triggers;

    private Session session;

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
        triggers = OwnershipTriggers.over(database.dataSource());
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
                CREATE TABLE article (id int PRIMARY KEY, title text, summary text)""");
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    private static List<Kind> drift(OwnershipTrigger trigger) throws SQLException {
        return triggers.verify(trigger).stream().map(Finding::kind).toList();
    }

    @Test
    void isInstalledOnceAndDropped() throws SQLException {
        assertThat(drift(REJECT)).containsExactly(Kind.NOT_INSTALLED);
        assertThat(triggers.install(REJECT, ONCE)).isEqualTo(Outcome.INSTALLED);
        assertThat(drift(REJECT)).isEmpty();
        assertThat(triggers.install(REJECT, ONCE)).isEqualTo(Outcome.ALREADY_INSTALLED);
        triggers.drop(REJECT, ONCE);
        assertThat(drift(REJECT)).containsExactly(Kind.NOT_INSTALLED);
        assertThat(session.value("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"))
                .isEqualTo("0");
    }

    @Test
    void anotherModeReplacesOnlyWhenAsked() throws SQLException {
        triggers.install(REJECT, ONCE);

        assertThat(catchThrowableOfType(OwnershipDiffersException.class, () -> triggers.install(PRESERVE, ONCE))
                        .findings())
                .extracting(Finding::kind)
                .containsExactly(Kind.OTHER_DEFINITION);
        assertThat(triggers.install(PRESERVE, ONCE.withReplace(true))).isEqualTo(Outcome.REPLACED);
        assertThat(drift(PRESERVE)).isEmpty();
    }

    @Test
    void aDryRunChangesNothing() throws SQLException {
        assertThat(triggers.install(REJECT, ONCE.withDryRun(true))).isEqualTo(Outcome.INSTALLED);
        assertThat(drift(REJECT)).containsExactly(Kind.NOT_INSTALLED);
    }

    @Test
    void theScriptInstallsAndDropsTheSame() throws SQLException {
        session.run("BEGIN; " + PRESERVE.installSql() + "COMMIT");
        assertThat(drift(PRESERVE)).isEmpty();
        session.run(PRESERVE.dropSql());
        session.run(PRESERVE.dropSql());
        assertThat(drift(PRESERVE)).containsExactly(Kind.NOT_INSTALLED);
    }

    @Test
    void aBusyTableIsNamed() throws SQLException {
        session.run("BEGIN; UPDATE article SET title = 'x'");

        assertThatThrownBy(() -> triggers.install(REJECT, ONCE.withLockTimeout(Duration.ofMillis(50))))
                .isInstanceOf(TablesBusyException.class)
                .hasMessageContaining("the tables of ownership of article were not free");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ALTER TABLE article DISABLE TRIGGER _cerrojo_ownership                | TRIGGER_DISABLED
            ALTER TABLE article ENABLE REPLICA TRIGGER _cerrojo_ownership         | TRIGGER_DISABLED
            ALTER TABLE article ENABLE ALWAYS TRIGGER _cerrojo_ownership          | TRIGGER_MODE
            DROP TRIGGER _cerrojo_ownership ON article                            | TRIGGER_MISSING
            DROP FUNCTION cerrojo.article_ownership CASCADE                       | NOT_INSTALLED
            ALTER FUNCTION cerrojo.article_ownership() SECURITY DEFINER           | FUNCTION_CHANGED
            ALTER FUNCTION cerrojo.article_ownership() RESET ALL                  | FUNCTION_CHANGED
            ALTER TABLE article ADD slug text                                     | TABLE_UNFIT
            ALTER TABLE article DROP summary                                      | TABLE_UNFIT
            CREATE TABLE child () INHERITS (article)                              | TABLE_UNCOVERED
            DROP TABLE article                                                    | TABLE_MISSING
            """)
    void driftIsFound(String change, Kind expected) throws SQLException {
        triggers.install(REJECT, ONCE);
        session.run(change);

        assertThat(drift(REJECT)).containsExactly(expected);
        if (expected != Kind.TABLE_UNFIT && expected != Kind.TABLE_MISSING) {
            triggers.install(REJECT, ONCE.withReplace(true));
            assertThat(drift(REJECT)).isEmpty();
        }
    }

    @Test
    void changedTextAndOtherTriggersAreFound() throws SQLException {
        triggers.install(REJECT, ONCE);
        session.run("CREATE OR REPLACE FUNCTION cerrojo.article_ownership() RETURNS trigger LANGUAGE plpgsql"
                + " SET search_path = pg_catalog, pg_temp AS 'BEGIN RETURN NEW; END'");
        session.run("CREATE TABLE other (id int)");
        session.run("CREATE TRIGGER _cerrojo_ownership BEFORE UPDATE ON other"
                + " FOR EACH ROW EXECUTE FUNCTION cerrojo.article_ownership()");

        assertThat(drift(REJECT)).containsExactly(Kind.FUNCTION_CHANGED, Kind.TRIGGER_UNEXPECTED);

        session.run("DROP TRIGGER _cerrojo_ownership ON article");
        session.run("CREATE TRIGGER _cerrojo_ownership BEFORE UPDATE ON article"
                + " FOR EACH ROW WHEN (OLD.id > 0) EXECUTE FUNCTION cerrojo.article_ownership()");
        assertThat(drift(REJECT)).containsExactly(Kind.FUNCTION_CHANGED, Kind.TRIGGER_CHANGED, Kind.TRIGGER_UNEXPECTED);
        triggers.install(REJECT, ONCE.withReplace(true));
        assertThat(drift(REJECT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CREATE VIEW place AS SELECT 1 AS id, 't' AS a                                | is no table
            CREATE TEMP TABLE place (id int, a text)                                     | does not exist
            CREATE TABLE place (id int, a text, b text)                                  | column b is nobody's
            CREATE TABLE place (id int)                                                  | place has no column a
            CREATE TABLE place (id int, a int GENERATED ALWAYS AS (id) STORED)           | column a is generated
            CREATE TABLE top (id int, a text) PARTITION BY LIST (id); CREATE TABLE place PARTITION OF top DEFAULT | is a partition
            """)
    void tablesThatCannotBeKeptAreRefused(String table, String problem) throws SQLException {
        session.run(table);
        OwnershipTrigger place =
                OwnershipTrigger.of(Ownership.of("place", "id").editorOwned("a").build(), OwnershipOptions.reject());

        assertThatThrownBy(() -> triggers.install(place, ONCE)).hasMessageContaining(problem);
        assertThat(session.value("SELECT count(*) FROM pg_proc WHERE proname = 'place_ownership'"))
                .isEqualTo("0");
    }

    @Test
    void whatHasNoOrderCannotBeTheGreater() throws SQLException {
        session.run("CREATE TABLE place (id int, a json)");
        OwnershipTrigger place = OwnershipTrigger.of(
                Ownership.of("place", "id").shared("a", Merge.greater()).build(), OwnershipOptions.reject());

        assertThatThrownBy(() -> triggers.install(place, ONCE)).isInstanceOf(OwnershipNotPossibleException.class);
    }

    @Test
    void alwaysFiresInReplicaSessionsTooAlsoOnPartitionsThatComeLater() throws SQLException {
        session.run("""
                CREATE TABLE part (id int PRIMARY KEY, a text, b text) PARTITION BY RANGE (id);
                CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (0) TO (10)""");
        OwnershipTrigger part = OwnershipTrigger.of(
                Ownership.of("part", "id").editorOwned("a").systemOwned("b").build(),
                OwnershipOptions.reject().withAlwaysEnabled(true));
        triggers.install(part, ONCE);
        session.run("CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM (10) TO (20)");
        session.run("INSERT INTO part VALUES (1, 'a', 'b'), (11, 'a', 'b')");

        assertThat(drift(part)).isEmpty();
        session.run("SET session_replication_role = replica");
        assertThat(session.sqlState("UPDATE part SET a = 'x' WHERE id = 1")).isEqualTo("23514");
        assertThat(session.sqlState("UPDATE part_2 SET a = 'x'")).isEqualTo("23514");
        triggers.drop(part, ONCE);
        session.run("UPDATE part SET a = 'x'");
    }

    @Test
    void namesAreQuotedAndCutWhereNeeded() throws SQLException {
        String longName = "Ä very \"long\" name of a table that has more characters than PostgreSQL";
        String table = '"' + longName.replace("\"", "\"\"") + '"';
        session.run("CREATE SCHEMA IF NOT EXISTS \"my %s schema\"");
        session.run(
                "CREATE TABLE \"my %s schema\"." + table + " (\"the Id\" int PRIMARY KEY, \"a'b\" text, \"50%\" text)");
        Ownership odd = Ownership.of(table, "the Id")
                .editorOwned("a'b")
                .systemOwned("50%")
                .build();
        OwnershipTrigger trigger =
                OwnershipTrigger.of(odd, OwnershipOptions.reject().withSchema("my %s schema"));
        triggers.install(trigger, ONCE);

        assertThat(drift(trigger)).isEmpty();
        session.run("INSERT INTO \"my %s schema\"." + table + " VALUES (1, 'a', 'b')");
        assertThat(session.error("UPDATE \"my %s schema\"." + table + " SET \"50%\" = 'x'")
                        .getMessage())
                .startsWith("50% of ");
        session.run("DROP SCHEMA \"my %s schema\" CASCADE");
    }
}
