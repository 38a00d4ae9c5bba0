package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "  commit work;",
                "/* done */ COMMIT AND CHAIN",
                "-- done\nEND",
                "rollback",
                "ROLLBACK WORK",
                "abort",
                "BEGIN",
                "start transaction read only",
                "SELECT 1; COMMIT",
                "SELECT 1; END",
                "SELECT * FROM begin atomic; END",
                "CREATE FUNCTION one() RETURNS int BEGIN ATOMIC SELECT 1; END; END",
                "PREPARE TRANSACTION 'one'",
                "ROLLBACK PREPARED 'one'"
            })
    void whatEndsATransactionIsRefused(String sql) {
        assertThatThrownBy(() -> ControlText.refuse(sql)).isInstanceOf(TransactionControlException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SELECT 'COMMIT; COMMIT'",
                "ROLLBACK TO before",
                "rollback work to savepoint before",
                "ROLLBACK TRANSACTION TO before",
                "PREPARE one AS SELECT 1",
                "SELECT CASE WHEN a THEN 1 END",
                "CREATE FUNCTION one() RETURNS int BEGIN ATOMIC SELECT 1; END",
                "DO $$ BEGIN PERFORM 1; END $$",
                "UPDATE commit SET abort = 1"
            })
    void anythingElseIsNot(String sql) {
        assertThatCode(() -> ControlText.refuse(sql)).doesNotThrowAnyException();
    }
}
