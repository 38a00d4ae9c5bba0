package dev.cerrojo.explorer.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.scenario.ScenarioReader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MeasuredDatabaseTest {
    private static boolean outlivesTransaction(String sql) {
        return MeasuredDatabase.outlivesTransaction(ScenarioReader.read("a.yaml", """
                transactions: {work: {steps: [{write: "%s"}]}}
                run: [work(), work()]
                invariant: {name: fine, violated_by: SELECT 1 WHERE false, watches: [t]}
                """.formatted(sql)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET search_path = other",
                "SELECT set_config('app.user', 'me', false)",
                "SELECT pg_advisory_lock(1)",
                "SELECT pg_try_advisory_lock(1)",
                "CREATE TEMP TABLE mine (n int)",
                "LISTEN changes"
            })
    void whatStaysInTheSessionIsTold(String sql) {
        assertThat(outlivesTransaction(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE users SET role = 'support' WHERE id = 1",
                "UPDATE t SET temp = 1",
                "SELECT pg_advisory_xact_lock(1)",
                "SET LOCAL lock_timeout = 100",
                "SET CONSTRAINTS ALL IMMEDIATE"
            })
    void whatEndsWithTheTransactionIsNot(String sql) {
        assertThat(outlivesTransaction(sql)).isFalse();
    }
}
