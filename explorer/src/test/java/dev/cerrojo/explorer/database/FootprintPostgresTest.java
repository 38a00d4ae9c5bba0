package dev.cerrojo.explorer.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.schedule.Footprint;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** What PostgreSQL's lock table tells of a statement; what it does not tell would be pruned away. */
class FootprintPostgresTest {
    private static final String SETUP = """
            CREATE TABLE t (id int PRIMARY KEY, v int);
            CREATE TABLE u (id int PRIMARY KEY, v int);
            CREATE TABLE child (id int PRIMARY KEY, t_id int REFERENCES t ON DELETE CASCADE);
            CREATE VIEW seen AS SELECT t.v FROM t JOIN u USING (id);
            CREATE TABLE watched (id int PRIMARY KEY);
            CREATE TABLE log (id int);
            CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
              $$ BEGIN INSERT INTO log SELECT count(*) FROM u; RETURN NULL; END $$;
            CREATE TRIGGER note AFTER INSERT ON watched FOR EACH ROW EXECUTE FUNCTION note();
            CREATE FUNCTION total() RETURNS bigint LANGUAGE sql AS 'SELECT sum(v) FROM u';
            CREATE SEQUENCE loose;
            CREATE SEQUENCE cached CACHE 10;
            CREATE TABLE numbered (id int GENERATED ALWAYS AS IDENTITY);
            CREATE TABLE parted (id int) PARTITION BY LIST (id);
            CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
            CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
            CREATE MATERIALIZED VIEW stored AS SELECT count(*) AS n FROM t;
            INSERT INTO t VALUES (1, 1); INSERT INTO u VALUES (1, 1)""";

    private static BareScratch database;
    private static final Map<String, String> NAMES = new HashMap<>();

    @BeforeAll
    static void create() throws SQLException {
        database = BareScratch.create(TestServer.shared());
        try (Connection connection = DriverManager.getConnection(database.url(""));
                Statement sql = connection.createStatement()) {
            sql.execute(SETUP);
            try (ResultSet rows = sql.executeQuery("SELECT oid::text, relname FROM pg_class")) {
                while (rows.next()) {
                    NAMES.put(rows.getString(1), rows.getString(2));
                }
            }
        }
        database.keep();
    }

    @AfterAll
    static void close() throws SQLException {
        database.close();
    }

    /** What a transaction of these statements touched, by name. */
    private static Footprint footprint(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(""))) {
            connection.setAutoCommit(false);
            try (Statement sql = connection.createStatement()) {
                for (String statement : statements) {
                    sql.execute(statement);
                }
            }
            int backend = connection.unwrap(PGConnection.class).getBackendPID();
            Footprint found = database.monitor().footprints(List.of(backend)).getOrDefault(backend, Footprint.NONE);
            return new Footprint(names(found.reads()), names(found.writes()), names(found.exclusive()), false);
        }
    }

    private static Set<String> names(Set<String> oids) {
        return oids.stream().map(oid -> NAMES.getOrDefault(oid, oid)).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT v FROM t                                | t",
                "SELECT v FROM seen                             | seen t u",
                "SELECT total()                                 | u",
                "SELECT count(*) FROM parted                    | parted parted_1 parted_2",
                "SELECT n FROM stored                           | stored",
                "SELECT 1 WHERE EXISTS (SELECT FROM u)          | u"
            })
    void readsAreWhatIsLockedInShareMode(String sql, String relations) throws SQLException {
        Footprint found = footprint(sql);

        assertThat(found.reads()).contains(relations.split(" "));
        assertThat(found.writes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE t SET v = 2                             | t",
                "UPDATE t SET v = 2 WHERE false                 | t",
                "DELETE FROM u                                  | u",
                "SELECT v FROM t FOR UPDATE                     | t",
                "SELECT v FROM t FOR KEY SHARE                  | t",
                "SELECT v FROM t FOR UPDATE SKIP LOCKED         | t",
                "LOCK TABLE t IN ROW SHARE MODE                 | t",
                "INSERT INTO child VALUES (1, 1)                | child t",
                "INSERT INTO watched VALUES (1)                 | watched log",
                "DELETE FROM t                                  | t child",
                "UPDATE parted_1 SET id = 1                     | parted_1",
                "INSERT INTO parted VALUES (2)                  | parted parted_2",
                "INSERT INTO numbered DEFAULT VALUES            | numbered numbered_id_seq",
                "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN UPDATE SET v = u.v | t",
                "WITH w AS (DELETE FROM u RETURNING *) SELECT * FROM w | u"
            })
    void writesAreWhatIsLockedInAnyStrongerMode(String sql, String relations) throws SQLException {
        assertThat(footprint(sql).writes()).contains(relations.split(" "));
    }

    @Test
    void aTriggersReadsAreTheStatements() throws SQLException {
        assertThat(footprint("INSERT INTO watched VALUES (1)").reads()).contains("u");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRUNCATE t CASCADE", "LOCK TABLE t IN ACCESS EXCLUSIVE MODE", "LOCK TABLE t"})
    void whatLocksReadersOutIsTold(String sql) throws SQLException {
        Footprint found = footprint(sql);

        assertThat(found.exclusive()).contains("t");
        assertThat(found.writes()).contains("t");
    }

    /** What one session draws another sees at once, without any COMMIT. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT nextval('loose')          | loose",
                "SELECT nextval('cached')         | cached",
                "SELECT setval('loose', 5)        | loose",
                "SELECT last_value FROM loose     | loose",
                "SELECT last_value FROM pg_sequences WHERE sequencename = 'loose' | loose"
            })
    void aSequenceIsWrittenAlsoWhereItIsOnlyLookedAt(String sql, String sequence) throws SQLException {
        assertThat(footprint(sql).writes()).contains(sequence);
    }

    @Test
    void aSequenceDrawnInATransactionBeforeIsToldAgain() throws SQLException {
        assertThat(footprint("SELECT nextval('cached')", "COMMIT", "SELECT nextval('cached')")
                        .writes())
                .contains("cached");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT pg_advisory_xact_lock(7)", "SELECT pg_advisory_lock(7)"})
    void anAdvisoryKeyLocksOut(String sql) throws SQLException {
        Footprint found = footprint(sql);

        assertThat(found.writes()).containsExactly("advisory 0 7 1");
        assertThat(found.exclusive()).containsExactly("advisory 0 7 1");
    }

    @Test
    void aSharedKeyMeetsOnlyOneThatIsNotShared() throws SQLException {
        Footprint shared = footprint("SELECT pg_advisory_xact_lock_shared(7)");
        Footprint exclusive = footprint("SELECT pg_advisory_xact_lock(7)");

        assertThat(shared.locksMeet(exclusive)).isTrue();
        assertThat(exclusive.locksMeet(shared)).isTrue();
        assertThat(footprint("SELECT pg_advisory_xact_lock(8)").locksMeet(exclusive))
                .isFalse();
        assertThat(footprint("SELECT pg_advisory_xact_lock(0, 7)").locksMeet(exclusive))
                .as("two numbers of 32 bits are another key than one of 64")
                .isFalse();
    }

    @Test
    void relationsOfEarlierStatementsAreToldUntilTheEnd() throws SQLException {
        Footprint found = footprint("UPDATE u SET v = 3", "SELECT v FROM t");

        assertThat(found.writes()).contains("u");
        assertThat(found.reads()).contains("t");
        assertThat(footprint("UPDATE u SET v = 3", "ROLLBACK")).isEqualTo(Footprint.NONE);
    }

    /** A large object may be any; they are all one relation. */
    @Test
    void largeObjectsAreOneRelation() throws SQLException {
        assertThat(footprint("SELECT lo_from_bytea(0, 'x')").writes()).contains("pg_largeobject");
        assertThat(footprint("SELECT lo_from_bytea(0, 'x')").writesMeet(footprint("SELECT lo_from_bytea(0, 'y')")))
                .isTrue();
    }
}
