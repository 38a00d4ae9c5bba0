package dev.cerrojo.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.schedule.Diverged;
import dev.cerrojo.explorer.schedule.Unsettled;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void whatNobodyExpectedIsABugOfOurs() {
        Failure failure = Failure.of(new IllegalStateException("impossible"));

        assertThat(failure.exitCode()).isEqualTo(4);
        assertThat(failure.message())
                .startsWith("internal error: java.lang.IllegalStateException: impossible\n")
                .contains("report it")
                .contains("--stacktrace");
    }

    @Test
    void whatCannotBeDecidedIsInconclusive() {
        assertThat(Failure.of(new Diverged(2, "another way", Optional.empty())))
                .isEqualTo(new Failure(5, "diverged at step 3: another way"));
        assertThat(Failure.of(new Unsettled("it hangs"))).isEqualTo(new Failure(5, "it hangs"));
    }

    @Test
    void theServerIsTheEnvironment() {
        assertThat(Failure.of(new SQLException("disk full", "53100")))
                .isEqualTo(new Failure(3, "the PostgreSQL server failed: disk full (SQLSTATE 53100)"));
    }
}
