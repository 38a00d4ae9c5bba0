package dev.cerrojo.explorer.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.explorer.TestServer;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Schedule;
import dev.cerrojo.explorer.search.Execution;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Subject;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each run of a scenario is as the first, whatever a step did to its connection or its database. */
@Timeout(60)
class ArenaPostgresTest {
    private static final String SETUP = """
            setup: |
              CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL); INSERT INTO t VALUES (1, 1), (2, 2);
              CREATE SEQUENCE s CACHE 10;
              CREATE MATERIALIZED VIEW m AS SELECT sum(v) AS n FROM t;
            """;

    /** What a step leaves behind, and a step before it that would see what an earlier run left. */
    private enum Left {
        SETTING("SELECT current_setting('work_mem') AS seen", "SET work_mem = '9MB'"),
        SETTING_OF_A_FUNCTION(
                "SELECT current_setting('work_mem') AS seen", "SELECT set_config('work_mem', '9MB', false)"),
        SETTING_BEHIND_A_COMMENT("SELECT current_setting('work_mem') AS seen", "\"/* wide */ SET work_mem = '9MB'\""),
        SETTING_IN_A_BLOCK("SELECT current_setting('work_mem') AS seen", "DO $$ BEGIN SET work_mem = '9MB'; END $$"),
        OWN_SETTING("SELECT current_setting('app.who', true) IS NULL AS seen", "SET app.who = 'A'"),
        OWN_SETTING_OF_THE_TRANSACTION(
                "SELECT current_setting('app.who', true) IS NULL AS seen", "SELECT set_config('app.who', 'A', true)"),
        SEARCH_PATH("SELECT current_schemas(false)::text AS seen", "SET search_path = pg_catalog"),
        TIME_ZONE("SELECT current_setting('TimeZone') AS seen", "SET TIME ZONE 'Asia/Kathmandu'"),
        ROLE("SELECT current_user AS seen", "SET ROLE pg_monitor"),
        REPLICATION_ROLE(
                "SELECT current_setting('session_replication_role') AS seen", "SET session_replication_role = replica"),
        TEMPORARY_TABLE(
                "SELECT to_regclass('pg_temp.scratch')::text AS seen", "CREATE TEMP TABLE scratch AS SELECT 1 AS one"),
        PREPARED_STATEMENT(
                "SELECT count(*) AS seen FROM pg_prepared_statements WHERE from_sql", "PREPARE mine AS SELECT 1"),
        SESSION_LOCK("SELECT count(*) AS seen FROM pg_locks WHERE locktype = 'advisory'", "SELECT pg_advisory_lock(5)"),
        CURSOR_WITH_HOLD(
                "SELECT count(*) AS seen FROM pg_cursors WHERE name = 'mine'",
                "DECLARE mine CURSOR WITH HOLD FOR SELECT 1"),
        CHANNEL("SELECT count(*) AS seen FROM pg_listening_channels()", "LISTEN news"),
        CACHED_NUMBERS("SELECT nextval('s') AS seen", "SELECT nextval('s')"),
        TABLE("SELECT to_regclass('made')::text AS seen", "CREATE TABLE made (v int)"),
        DROPPED_TABLE("SELECT to_regclass('t')::text AS seen", "DROP TABLE t CASCADE"),
        COLUMN(
                "SELECT count(*) AS seen FROM pg_attribute WHERE attrelid = 't'::regclass",
                "ALTER TABLE t ADD more int"),
        REFRESHED_VIEW("SELECT n AS seen FROM m", "WITH c AS (UPDATE t SET v = 9 RETURNING 1) SELECT 1 FROM c"),
        TRUNCATED_TABLE("SELECT count(*) AS seen FROM t", "TRUNCATE t"),
        LARGE_OBJECT(
                "SELECT count(*) AS seen FROM pg_largeobject_metadata", "SELECT lo_from_bytea(0, 'x') > 0 AS made");

        private final String looks;
        private final String leaves;

        Left(String looks, String leaves) {
            this.looks = looks;
            this.leaves = leaves;
        }

        Scenario scenario() {
            String refresh = this == REFRESHED_VIEW ? "\n          - write: REFRESH MATERIALIZED VIEW m" : "";
            return read("""
                    transactions:
                      leave:
                        steps:
                          - read: %s
                          - write: %s%s
                      other:
                        steps:
                          - read: SELECT 1 AS one
                    run: [leave(), other()]
                    invariant: SELECT 1 WHERE false
                    """.formatted(looks, leaves, refresh.replace("          ", "      ")));
        }
    }

    private static Scenario read(String rest) {
        return ScenarioReader.read("test.yaml", SETUP + rest);
    }

    @ParameterizedTest
    @EnumSource(Left.class)
    void whatAStepLeavesIsGoneInTheNextRun(Left left) throws SQLException {
        Scenario scenario = left.scenario();
        try (Arena arena = Arena.open(TestServer.shared(), scenario)) {
            Subject subject = arena.subject(
                    scenario, scenario.runs().get(0), Arena.Fingerprints.ROWS_AND_READS, Arena.Comparison.NONE);
            Execution first = Search.replay(subject, Schedule.parse("A").choices());
            assertThat(first.trace().outcomes()).hasOnlyElementsOfType(Outcome.Committed.class);

            for (int run = 2; run <= 4; run++) {
                Execution again = Search.replay(subject, Schedule.parse("A").choices());

                assertThat(again.trace().outcomes())
                        .as("run %d", run)
                        .isEqualTo(first.trace().outcomes());
                assertThat(again.state()).as("run %d", run).isEqualTo(first.state());
            }
        }
    }

    // ---------------------------------------------------------------- connections

    private static Execution once(String rest, String schedule) throws SQLException {
        Scenario scenario = read(rest);
        try (Arena arena = Arena.open(TestServer.shared(), scenario)) {
            return Search.replay(
                    arena.subject(scenario, scenario.runs().get(0)),
                    Schedule.parse(schedule).choices());
        }
    }

    @Test
    void backendThatIsTerminatedInAStepIsALostConnection() {
        assertThatThrownBy(() -> once("""
                        transactions:
                          die: {steps: [{write: SELECT pg_terminate_backend(pg_backend_pid())}]}
                          live: {steps: [{write: UPDATE t SET v = 5 WHERE id = 1}]}
                        run: [die(), live()]
                        invariant: SELECT 1 WHERE false
                        """, "BA"))
                .isInstanceOf(ConnectionLostException.class)
                .hasMessageContaining("the connection to PostgreSQL was lost: ")
                .hasMessageContaining("terminating connection due to administrator command");
    }

    @Test
    void statementThatIsCancelledFailsLikeAnyOther() throws SQLException {
        Execution execution = once("""
                transactions:
                  stop: {steps: [{write: SELECT pg_cancel_backend(pg_backend_pid())}]}
                  live: {steps: [{write: UPDATE t SET v = 5 WHERE id = 1}]}
                run: [stop(), live()]
                invariant: SELECT 1 WHERE false
                """, "A");

        assertThat(execution.trace().outcomes().get(0))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.sqlState()).isEqualTo("57014"));
        assertThat(execution.trace().outcomes().get(1)).isEqualTo(new Outcome.Committed());
    }

    @Test
    void sessionThatWaitsForItsOwnAutonomousStepIsStuck() throws SQLException {
        Execution execution = once("""
                transactions:
                  foe:
                    steps:
                      - write: UPDATE t SET v = 5 WHERE id = 1
                      - write: UPDATE t SET v = 6 WHERE id = 1
                        autonomous: true
                  live: {steps: [{write: UPDATE t SET v = 5 WHERE id = 2}]}
                run: [foe(), live()]
                invariant: SELECT 1 WHERE false
                """, "AA");

        assertThat(execution.trace().outcomes()).containsExactly(new Outcome.Stuck(), new Outcome.Committed());
    }
}
