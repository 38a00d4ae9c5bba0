package dev.cerrojo.explorer.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What words show that the lock table will not tell enough; then nothing is pruned. */
class UnseenTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT pg_try_advisory_xact_lock(1)",
                "SELECT pg_advisory_unlock(1)",
                "SAVEPOINT a",
                "ROLLBACK TO a",
                "SELECT v FROM t FOR UPDATE NOWAIT",
                "SET LOCAL lock_timeout = '1s'",
                "SELECT pid FROM pg_locks",
                "SELECT pg_cancel_backend(pid) FROM pids",
                "SELECT n_tup_ins FROM pg_stat_user_tables",
                "SELECT xmin FROM t",
                "UPDATE t SET v = 1 WHERE ctid = '(0,1)'",
                "SELECT clock_timestamp()",
                "DO $$ BEGIN PERFORM 1; EXCEPTION WHEN others THEN NULL; END $$",
                "SELECT now()",
                "INSERT INTO t VALUES (current_timestamp)",
                "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                "set session characteristics as transaction isolation level serializable",
                "SET LOCAL transaction_isolation = 'serializable'",
                "SET default_transaction_isolation TO 'repeatable read'",
                "SELECT set_config('transaction_isolation', 'serializable', true)",
                "SET TRANSACTION SNAPSHOT '00000003-0000001B-1'"
            })
    void isWhatReleasesTriesOrTellsMore(String sql) {
        assertThat(Unseen.anything("", sql)).isTrue();
        assertThat(Unseen.anything("CREATE FUNCTION f() RETURNS void LANGUAGE sql AS '" + sql + "'", ""))
                .as("in a function")
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CREATE TABLE x ()", "ALTER TABLE t ADD v int", "drop table t", "BEGIN DEFERRABLE"})
    void isDdlInASession(String sql) {
        assertThat(Unseen.anything("", sql)).isTrue();
        assertThat(Unseen.anything(sql, "")).as("in the setup").isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE t SET v = v + 1",
                "SELECT v FROM t FOR UPDATE",
                "SHOW transaction_isolation",
                "BEGIN ISOLATION LEVEL SERIALIZABLE",
                "UPDATE t SET v = 1;\nBEGIN ISOLATION LEVEL SERIALIZABLE",
                "SELECT created_at, dropped FROM t",
                "SELECT pg_advisory_xact_lock(1)"
            })
    void isNotWhatLocksTell(String sql) {
        assertThat(Unseen.anything("CREATE TABLE t (v int)", sql)).isFalse();
    }

    /** A candidate of ours that could not be reduced would take very long to try. */
    @Test
    void isNotOurTriggerGuard() {
        Scenario scenario = ScenarioReader.read("test.yaml", """
                setup: CREATE TABLE s (id int PRIMARY KEY); CREATE TABLE t (s_id int)
                transactions: {add: {params: [s], steps: [{write: "INSERT INTO t VALUES (:s)"}]}}
                run: [add(s=1), add(s=1)]
                invariant: {name: few, scope: s(id), at_most: 1, of: t(s_id)}
                """);
        Scenario guarded = scenario;
        for (String statement : TriggerGuard.of(scenario.invariants().get(0), GuardOptions.defaults())
                .installStatements()) {
            guarded = guarded.withSetupAppended(statement + ";");
        }

        assertThat(Unseen.in(guarded).anything()).isFalse();
    }
}
