package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.testsupport.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a role must be allowed to do on a server of the user's, and what it is told when it is not. */
class UserServerPostgresTest {
    private static final String DEADLOCKS = """
            setup: CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 0), (2, 0)
            transactions:
              change:
                params: [a, b]
                steps:
                  - write: UPDATE t SET n = n + 1 WHERE id = :a
                  - write: UPDATE t SET n = n + 1 WHERE id = :b
            run: ["change(a=1, b=2)", "change(a=2, b=1)"]
            invariant: SELECT id FROM t WHERE n > 2
            """;

    /** Whoever finds no table makes it and takes the one place; a table left by a run before would hide the race. */
    private static final String RACE_FOR_A_TABLE = """
            setup: CREATE TABLE t (who text)
            transactions:
              claim:
                params: [who]
                steps:
                  - read: SELECT to_regclass('claimed') IS NULL AS free
                  - check: SELECT :free
                    else: taken
                  - write: CREATE TABLE IF NOT EXISTS claimed (n int)
                  - write: INSERT INTO t VALUES (:who)
            run: ["claim(who='a')", "claim(who='b')"]
            invariant: SELECT count(*) FROM t HAVING count(*) > 1
            """;

    private static TestDatabase database;
    private static boolean rolesMade;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void roles() throws SQLException {
        database = TestDatabase.create();
        try (Connection connection = database.connect()) {
            boolean parametersCanBeGranted = connection.getMetaData().getDatabaseMajorVersion() >= 15;
            Assumptions.assumeTrue(parametersCanBeGranted, "PostgreSQL 14 grants no parameters");
        }
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("DROP ROLE IF EXISTS weak, maker, able, full_rights");
            sql.execute("CREATE ROLE weak LOGIN PASSWORD 'x'");
            sql.execute("CREATE ROLE maker LOGIN PASSWORD 'x' CREATEDB");
            sql.execute("CREATE ROLE able LOGIN PASSWORD 'x' CREATEDB");
            sql.execute("GRANT SET ON PARAMETER session_replication_role TO able");
            sql.execute("CREATE ROLE full_rights LOGIN PASSWORD 'x' CREATEDB");
            sql.execute("GRANT SET ON PARAMETER session_replication_role, deadlock_timeout TO full_rights");
            rolesMade = true;
        }
    }

    @AfterAll
    static void dropRoles() throws SQLException {
        if (rolesMade) {
            dropRoles(database);
        }
        database.close();
    }

    private static void dropRoles(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement sql = connection.createStatement()) {
            sql.execute("DROP OWNED BY able, full_rights");
            sql.execute("REVOKE SET ON PARAMETER session_replication_role, deadlock_timeout FROM able, full_rights");
            sql.execute("DROP ROLE weak, maker, able, full_rights");
        }
    }

    private static Ran runAs(String role, String scenario, String... more) {
        String url =
                database.jdbcUrl().replaceAll("user=[^&]*", "user=" + role).replaceAll("password=[^&]*", "password=x");
        String[] args = new String[more.length + 2];
        args[0] = "check";
        System.arraycopy(more, 0, args, 1, more.length);
        args[more.length + 1] = new ScenarioFiles(folder).file(role + ".yaml", scenario);
        return Ran.with(Map.of("CERROJO_URL", url), args);
    }

    @Test
    void aRoleThatMayNotCreateDatabasesIsToldWhatToGrant() {
        Ran ran = runAs("weak", ScenarioFiles.HOLDS);

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.err())
                .contains("the role \"weak\" may not do what Cerrojo needs")
                .contains("ALTER ROLE \"weak\" CREATEDB;")
                .contains("GRANT SET ON PARAMETER session_replication_role, deadlock_timeout TO \"weak\";");
    }

    @Test
    void aRoleThatMayNotSetParametersIsToldWhatToGrant() {
        Ran ran = runAs("maker", ScenarioFiles.HOLDS);

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.err())
                .doesNotContain("CREATEDB")
                .contains("GRANT SET ON PARAMETER session_replication_role, deadlock_timeout TO \"maker\";");
    }

    @Test
    void whatIsGrantedIsEnough() {
        assertThat(runAs("full_rights", ScenarioFiles.HOLDS).exitCode()).isZero();
        assertThat(runAs("full_rights", ScenarioFiles.LOST_UPDATE).exitCode()).isEqualTo(1);
        assertThat(runAs("full_rights", DEADLOCKS))
                .satisfies(ran -> assertThat(ran.exitCode()).isZero())
                .satisfies(ran ->
                        assertThat(ran.out()).contains("A failed (40P01)").contains("B failed (40P01)"));
    }

    @Test
    void withoutTheChoiceOfAVictimDeadlocksLeaveItInconclusive() {
        assertThat(runAs("able", ScenarioFiles.HOLDS).exitCode()).isZero();

        Ran ran = runAs("able", DEADLOCKS);

        assertThat(ran.exitCode()).isEqualTo(5);
        assertThat(ran.out()).contains("the role may not SET deadlock_timeout").contains("(40P01)");
    }

    @Test
    void tablesMadeByAStepAreGoneInTheNextRunThoughOnlySuperusersMayNoticeThem() {
        assertThat(runAs("full_rights", RACE_FOR_A_TABLE, "--exhaustive").exitCode())
                .isEqualTo(1);
        assertThat(runAs("full_rights", RACE_FOR_A_TABLE).exitCode()).isEqualTo(1);
    }
}
