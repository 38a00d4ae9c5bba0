package dev.cerrojo.guard;

import static dev.cerrojo.invariant.Invariants.rows;
import static dev.cerrojo.invariant.Invariants.scoped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.io.StringReader;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Guards of partitioned tables and of tables with children. */
class FamilyPostgresTest {
    private static final Invariant ADMINS = scoped(
            "admins", Scope.table("org", "id"), "active", new Rule.AtLeast(1, rows("member", "org_id", "admin")));
    private static final Guard GUARD = TriggerGuard.of(ADMINS, GuardOptions.defaults());

    /** Organizations 1 and 2 with two administrators each: A in one partition, B two levels down in another. */
    private static final String PARTITIONED = """
            CREATE TABLE org (id int PRIMARY KEY, active boolean NOT NULL) PARTITION BY RANGE (id);
            CREATE TABLE org_low PARTITION OF org FOR VALUES FROM (0) TO (10);
            CREATE TABLE org_high PARTITION OF org FOR VALUES FROM (10) TO (20);
            CREATE TABLE member (org_id int REFERENCES org ON DELETE CASCADE ON UPDATE CASCADE, name text, admin boolean,
              PRIMARY KEY (org_id, name)) PARTITION BY LIST (name);
            CREATE TABLE member_a PARTITION OF member FOR VALUES IN ('A');
            CREATE TABLE member_rest PARTITION OF member DEFAULT PARTITION BY RANGE (org_id);
            -- Its columns stand in another order, so that rows must be converted.
            CREATE TABLE member_rest_low (admin boolean, gone int, name text NOT NULL, org_id int NOT NULL);
            ALTER TABLE member_rest_low DROP COLUMN gone;
            ALTER TABLE member_rest ATTACH PARTITION member_rest_low FOR VALUES FROM (0) TO (10);
            CREATE TABLE member_rest_high PARTITION OF member_rest FOR VALUES FROM (10) TO (20);
            INSERT INTO org VALUES (1, true), (2, true), (3, false);
            INSERT INTO member VALUES (1, 'A', true), (1, 'B', true), (2, 'A', true), (2, 'B', true)""";

    /** The same with inheritance; the lowest table has one column more. */
    private static final String INHERITED = """
            CREATE TABLE org (id int, active boolean NOT NULL);
            CREATE TABLE member (org_id int, name text, admin boolean);
            CREATE TABLE member_a () INHERITS (member);
            CREATE TABLE member_rest (note text) INHERITS (member);
            CREATE TABLE member_rest_low (more text) INHERITS (member_rest);
            INSERT INTO org VALUES (1, true), (2, true), (3, false);
            INSERT INTO member_a VALUES (1, 'A', true), (2, 'A', true);
            INSERT INTO member_rest_low VALUES (1, 'B', true), (2, 'B', true)""";

    private record Tables(TestDatabase database, Session session) implements AutoCloseable {
        static Tables of(String sql) throws SQLException {
            TestDatabase database = TestDatabase.create();
            Session session = Session.of(database);
            session.run(sql);
            return new Tables(database, session);
        }

        Tables guarded() throws SQLException {
            session.run(GUARD.installSql());
            return this;
        }

        /** The control: what PostgreSQL itself passes on from the table at the top, which is nothing. */
        Tables guardedAtTheTopOnly() throws SQLException {
            guarded();
            for (String below : List.of("member_a", "member_rest", "member_rest_low")) {
                for (String event : List.of("update", "delete", "truncate")) {
                    session.run("DROP TRIGGER cerrojo_admins_%s ON %s".formatted(event, below));
                }
            }
            return this;
        }

        @Override
        public void close() throws SQLException {
            session.close();
            database.close();
        }
    }

    private static final String AT_THE_TOP = """
            DELETE FROM member
            DELETE FROM member WHERE org_id = 1
            UPDATE member SET admin = false WHERE org_id = 2
            UPDATE member SET org_id = 3 WHERE org_id = 1
            UPDATE member SET name = name || 'x', admin = false WHERE org_id = 1
            TRUNCATE member
            UPDATE org SET active = true WHERE id = 3
            INSERT INTO org VALUES (4, true)
            """;

    private static final String BELOW = """
            WITH a AS (DELETE FROM member_a) DELETE FROM member_rest
            WITH a AS (DELETE FROM member_a) DELETE FROM member_rest_low
            WITH a AS (UPDATE member_a SET admin = false) UPDATE member_rest_low SET admin = false
            """;

    @Test
    void partitionedTableIsKeptFromTheTop() throws SQLException {
        try (Tables tables = Tables.of(PARTITIONED).guarded()) {
            assertAllRefused(tables.session(), AT_THE_TOP);
        }
    }

    @Test
    void tableWithChildrenIsKeptFromTheTop() throws SQLException {
        try (Tables tables = Tables.of(INHERITED).guarded()) {
            assertAllRefused(tables.session(), AT_THE_TOP);
            tables.session().run("INSERT INTO member SELECT * FROM ONLY member_a; DELETE FROM member_rest_low");
            tables.session().run("DELETE FROM member_a");
            assertThat(tables.session().sqlState("DELETE FROM ONLY member")).isEqualTo("23514");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PARTITIONED, INHERITED})
    void everyTableBelowIsKept(String schema) throws SQLException {
        try (Tables tables = Tables.of(schema).guarded()) {
            assertAllRefused(tables.session(), BELOW);
            tables.session().run("TRUNCATE member_a");
            assertThat(tables.session().sqlState("TRUNCATE member_rest_low")).isEqualTo("23514");
        }
    }

    @Test
    void scopeTableIsKeptBelowToo() throws SQLException {
        try (Tables tables = Tables.of(PARTITIONED).guarded()) {
            assertAllRefused(tables.session(), """
                    UPDATE org_low SET active = true WHERE id = 3
                    INSERT INTO org_high VALUES (14, true)
                    """);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PARTITIONED, INHERITED})
    void withoutTriggersBelowItIsBypassed(String schema) throws SQLException {
        for (String statement : BELOW.lines().toList()) {
            try (Tables tables = Tables.of(schema).guardedAtTheTopOnly()) {
                tables.session().run(statement);
                assertThat(tables.session().rows(ADMINS.violationSql())).isNotEmpty();
            }
        }
    }

    private static void assertAllRefused(Session session, String statements) throws SQLException {
        for (String statement : statements.lines().toList()) {
            assertThat(session.sqlState(statement)).as(statement).isEqualTo("23514");
            assertThat(session.rows(ADMINS.violationSql())).isEmpty();
        }
    }

    /** A row that changes its partition is deleted and inserted for row triggers, but updated for the statement's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE member SET name = 'C' WHERE name = 'A' | ''",
                "UPDATE member SET name = 'C', admin = false WHERE name = 'A' AND org_id = 1 | 1",
                "UPDATE member SET org_id = 3 WHERE name = 'B' AND org_id = 2 | 2",
                "UPDATE member_rest SET org_id = 2, name = 'C' WHERE name = 'B' AND org_id = 1 | 1",
                "DELETE FROM member WHERE name = 'A' | 1 2",
                "DELETE FROM member_rest_low WHERE org_id = 2 | 2",
                "INSERT INTO member VALUES (1, 'C', true) | ''",
                "INSERT INTO member VALUES (1, 'B', true) ON CONFLICT (org_id, name) DO UPDATE SET admin = false | 1",
                "MERGE INTO member AS m USING (VALUES (1)) AS v (id) ON m.org_id = v.id AND name = 'A'"
                        + " WHEN MATCHED THEN DELETE | 1",
                "UPDATE org SET id = 12 WHERE id = 1 | 1 12",
                "DELETE FROM org WHERE id = 2 | 2",
                "TRUNCATE member_a | 1 2 3"
            })
    void onlyScopesThatComeNearerToViolationAreTouched(String statement, String scopes) throws SQLException {
        try (Tables tables = Tables.of(PARTITIONED).guarded()) {
            tables.session().run(statement);

            assertThat(String.join(" ", tables.session().rows("SELECT scope FROM cerrojo.guard ORDER BY scope")))
                    .isEqualTo(scopes);
            assertThat(tables.session().rows(ADMINS.violationSql())).isEmpty();
        }
    }

    @Test
    void cascadeOfAForeignKeyOnOnePartitionIsRefused() throws SQLException {
        try (Tables tables = Tables.of(PARTITIONED).guarded()) {
            Session session = tables.session();
            session.run("CREATE TABLE person (name text PRIMARY KEY); INSERT INTO person VALUES ('A'), ('B')");
            session.run("ALTER TABLE member_rest_low ADD FOREIGN KEY (name) REFERENCES person ON DELETE CASCADE");
            session.run("DELETE FROM member_a");

            assertThat(session.sqlState("DELETE FROM person WHERE name = 'B'")).isEqualTo("23514");
        }
    }

    @Test
    void copyIntoAPartitionIsRefused() throws SQLException {
        Invariant few =
                scoped("admins", Scope.table("org", "id"), "", new Rule.AtMost(2, rows("member", "org_id", "admin")));
        try (Tables tables = Tables.of(PARTITIONED)) {
            tables.session().run(TriggerGuard.of(few, GuardOptions.defaults()).installSql());

            assertThat(copy(tables.session(), "member_rest_low (org_id, name, admin)"))
                    .isEqualTo("23514");
            assertThat(copy(tables.session(), "member (org_id, name, admin)")).isEqualTo("23514");
        }
    }

    private static String copy(Session session, String target) {
        try {
            session.connection()
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY " + target + " FROM STDIN", new StringReader("2\tC\tt\n"));
            return "00000";
        } catch (SQLException failure) {
            return failure.getSQLState();
        } catch (java.io.IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    /** Each removes one administrator of organization 1, in partitions of their own. */
    @ParameterizedTest
    @ValueSource(strings = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"})
    void writersOfTwoPartitionsAreSerialized(String isolation) throws Exception {
        try (Tables tables = Tables.of(PARTITIONED).guarded();
                Session first = Session.of(tables.database());
                Session second = Session.of(tables.database())) {
            first.run("BEGIN ISOLATION LEVEL %s; DELETE FROM member_a WHERE org_id = 1".formatted(isolation));
            second.run("BEGIN ISOLATION LEVEL %s; SELECT 1 FROM org".formatted(isolation));
            CompletableFuture<String> waiting = second.start("DELETE FROM member_rest_low WHERE org_id = 1");
            second.awaitBlockedBy(first, tables.session());
            first.run("COMMIT");

            assertThat(Session.await(waiting)).isEqualTo(isolation.equals("READ COMMITTED") ? "23514" : "40001");
            assertThat(tables.session().rows(ADMINS.violationSql())).isEmpty();
        }
    }

    @Test
    void writersOfTwoPartitionsAreNotSerializedWithoutTriggersBelow() throws Exception {
        try (Tables tables = Tables.of(PARTITIONED).guardedAtTheTopOnly();
                Session first = Session.of(tables.database());
                Session second = Session.of(tables.database())) {
            first.run("BEGIN; DELETE FROM member_a WHERE org_id = 1");
            second.run("BEGIN; DELETE FROM member_rest_low WHERE org_id = 1; COMMIT");
            first.run("COMMIT");

            assertThat(tables.session().rows(ADMINS.violationSql())).isNotEmpty();
        }
    }

    @Test
    void triggersBelowFireAlwaysToo() throws SQLException {
        try (Tables tables = Tables.of(PARTITIONED)) {
            GuardOptions always = GuardOptions.defaults().withAlwaysEnabled(true);
            tables.session().run(TriggerGuard.of(ADMINS, always).installSql());
            tables.session().run("SET session_replication_role = replica; DELETE FROM member_a");

            assertThat(tables.session().sqlState("DELETE FROM member_rest_low")).isEqualTo("23514");
        }
    }

    @Test
    void dropLeavesNothingOnAnyTable() throws SQLException {
        try (Tables tables = Tables.of(PARTITIONED).guarded()) {
            Session session = tables.session();
            session.run("ALTER TABLE member DETACH PARTITION member_a");
            session.run(GUARD.dropSql());

            assertThat(session.rows("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"))
                    .isEmpty();
            assertThat(session.rows("SELECT proname FROM pg_proc WHERE pronamespace = 'cerrojo'::regnamespace"))
                    .isEmpty();
        }
    }

    @Test
    void namesThatNeedQuotesAndPercentSignsWork() throws SQLException {
        Invariant odd = scoped(
                "odd",
                Scope.table("\"the %s org\"", "id"),
                "",
                new Rule.AtLeast(1, rows("\"100%\"", "\"org {member}\"", "")));
        try (TestDatabase database = TestDatabase.create();
                Session session = Session.of(database)) {
            session.run("""
                    CREATE TABLE "the %s org" (id int);
                    CREATE TABLE "100%" ("org {member}" int) PARTITION BY LIST ("org {member}");
                    CREATE TABLE "50%%I" PARTITION OF "100%" DEFAULT;
                    INSERT INTO "100%" VALUES (1); INSERT INTO "the %s org" VALUES (1)""");
            session.run(TriggerGuard.of(odd, GuardOptions.defaults()).installSql());

            assertThat(session.sqlState("DELETE FROM \"50%%I\"")).isEqualTo("23514");
            session.run(TriggerGuard.of(odd, GuardOptions.defaults()).dropSql());
            session.run("DELETE FROM \"50%%I\"");
        }
    }

    @Test
    void uniqueIndexOfAPartitionedTableCoversItsPartitions() throws SQLException {
        Invariant unique = dev.cerrojo.invariant.Invariants.global(
                "one_name", new Rule.Unique("member", List.of("name", "org_id"), Optional.of("admin")));
        try (Tables tables = Tables.of(PARTITIONED)) {
            tables.session().run("ALTER TABLE member DROP CONSTRAINT member_pkey");
            tables.session().run(Guard.of(unique, GuardOptions.defaults()).installSql());

            assertThat(tables.session().sqlState("INSERT INTO member_a VALUES (1, 'A', true)"))
                    .isEqualTo("23505");
        }
    }
}
