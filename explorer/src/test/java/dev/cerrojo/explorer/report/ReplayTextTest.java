package dev.cerrojo.explorer.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.check.ReplayToken;
import dev.cerrojo.explorer.check.RunResult;
import dev.cerrojo.explorer.search.Execution;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayTextTest {
    private static String text(Execution execution, String asked) {
        ReplayToken token = new ReplayToken(1, List.of(), execution.trace().schedule());
        return ReplayText.of(
                new ReplayReport(
                        Found.scenario(),
                        ReplayToken.parse(asked),
                        new RunResult.Witness(Found.scenario().runs().get(0), token, execution),
                        "17.11",
                        List.of()),
                Look.plain());
    }

    @Test
    void showsOneSchedule() {
        assertThat(text(Found.oneWaits().ending(), "1:ABAB")).isEqualTo("""
                        HOLDS HERE: schedule 1:ABAB ends with nothing violated.
                          examples/on-call.yaml: The last two doctors of a shift leave at the same time

                            A  leave(shift=1, doctor='A')                  │ B  leave(shift=1, doctor='B')
                               read committed                              │    read committed
                          ─────────────────────────────────────────────────┼───────────────────────────────────────────────
                          1 SELECT pg_advisory_xact_lock(1)                │
                          2                                                │ SELECT pg_advisory_xact_lock(1)
                                                                           │ waits for A
                          3 COMMIT                                         │ goes on
                          4                                                │ ROLLBACK
                          ─────────────────────────────────────────────────┼───────────────────────────────────────────────
                            committed                                      │ refused (coverage-conflict)
                        """);
    }

    @Test
    void showsTheViolation() {
        assertThat(text(Found.bothLeave().ending(Found.NOBODY_ON_CALL), "1:ABBBAA"))
                .startsWith("VIOLATED: schedule 1:ABBBAA ends with on_call_coverage violated.\n")
                .contains("At the end on_call_coverage is violated");
    }

    @Test
    void givesTheWholeOfAScheduleThatWasCutShort() {
        assertThat(text(Found.oneWaits().ending(), "AB"))
                .contains("The whole is:\n  cerrojo check --replay 1:ABAB examples/on-call.yaml\n");
    }
}
