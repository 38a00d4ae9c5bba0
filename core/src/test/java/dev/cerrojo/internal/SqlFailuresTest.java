package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class SqlFailuresTest {
    @Test
    void aBatchHidesItBehindTheNext() {
        BatchUpdateException batch = new BatchUpdateException("batch", new int[0]);
        batch.setNextException(new SQLException("of the entry", "40001"));

        assertThat(SqlFailures.again(new IllegalStateException(new RuntimeException(batch))))
                .contains("40001");
    }

    @Test
    void eachIsSeenOnceWhereCausesGoRound() {
        SQLException first = new SQLException("first", "23505");
        SQLException second = new SQLException("second", "25P02", first);
        first.setNextException(second);

        assertThat(SqlFailures.sqlStates(first)).containsExactly("23505", "25P02");
        assertThat(SqlFailures.again(first)).isEmpty();
    }

    @Test
    void manyNextOnesAreNoProblem() {
        SQLException first = new SQLException("first", "40P01");
        SQLException last = first;
        for (int i = 0; i < 5_000; i++) {
            SQLException next = new SQLException("next");
            last.setNextException(next);
            last = next;
        }

        assertThat(SqlFailures.again(first)).contains("40P01");
        assertThat(SqlFailures.chain(first)).hasSize(5_001);
    }

    @Test
    void nothingElseAsksForAnotherAttempt() {
        assertThat(SqlFailures.again(new SQLException("no state"))).isEmpty();
        assertThat(SqlFailures.again(new SQLException("unknown", "40003"))).isEmpty();
        assertThat(SqlFailures.again(new IllegalStateException("40001"))).isEmpty();
    }
}
