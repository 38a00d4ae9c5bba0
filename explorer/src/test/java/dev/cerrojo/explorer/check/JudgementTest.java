package dev.cerrojo.explorer.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.scenario.Expectation;
import dev.cerrojo.explorer.scenario.Run;
import dev.cerrojo.explorer.scenario.Scenario;
import dev.cerrojo.explorer.scenario.ScenarioReader;
import dev.cerrojo.explorer.search.Exploration;
import dev.cerrojo.explorer.search.SerialTally;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an expectation is met, and when nobody can tell. */
class JudgementTest {
    private static final Scenario SCENARIO = ScenarioReader.read("test.yaml", """
            transactions: {t: {steps: [{write: SELECT 1}]}}
            run: [t(), t()]
            invariant: SELECT 1 WHERE false
            """);

    /** What a search may find; none of it in few words. */
    private enum Found {
        NOTHING(0, 0, 1, true),
        VIOLATION(1, 0, 1, true),
        DEADLOCK(0, 1, 1, true),
        NO_COMMIT(0, 0, 0, true),
        GAVE_UP(0, 0, 1, false),
        GAVE_UP_AFTER_A_DEADLOCK(0, 1, 1, false);

        private final CheckResult result;

        Found(long violating, long deadlocking, long committing, boolean exhausted) {
            Run run = SCENARIO.runs().get(0);
            Exploration exploration = new Exploration(
                    1,
                    violating,
                    deadlocking,
                    0,
                    committing,
                    Map.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    new TreeSet<>(),
                    exhausted,
                    exhausted ? Optional.empty() : Optional.of("stopped"),
                    Duration.ZERO,
                    List.of(),
                    true,
                    0,
                    SerialTally.NONE);
            this.result =
                    new CheckResult(SCENARIO, List.of(new RunResult(1, run, exploration, Optional.empty())), true);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HOLDS,             NOTHING,                  MET",
        "HOLDS,             VIOLATION,                NOT_MET",
        "HOLDS,             DEADLOCK,                 MET",
        "HOLDS,             NO_COMMIT,                NOT_MET",
        "HOLDS,             GAVE_UP,                  UNDECIDED",
        "HOLDS_NO_DEADLOCK, NOTHING,                  MET",
        "HOLDS_NO_DEADLOCK, VIOLATION,                NOT_MET",
        "HOLDS_NO_DEADLOCK, DEADLOCK,                 NOT_MET",
        "HOLDS_NO_DEADLOCK, GAVE_UP,                  UNDECIDED",
        "HOLDS_NO_DEADLOCK, GAVE_UP_AFTER_A_DEADLOCK, NOT_MET",
        "VIOLATED,          VIOLATION,                MET",
        "VIOLATED,          NOTHING,                  NOT_MET",
        "VIOLATED,          GAVE_UP,                  UNDECIDED",
        "DOES_NOT_HOLD,     VIOLATION,                MET",
        "DOES_NOT_HOLD,     NOTHING,                  NOT_MET",
        "DEADLOCKS,         DEADLOCK,                 MET",
        "DEADLOCKS,         GAVE_UP_AFTER_A_DEADLOCK, MET",
        "DEADLOCKS,         NOTHING,                  NOT_MET",
        "DEADLOCKS,         GAVE_UP,                  UNDECIDED"
    })
    void whatIsFoundDecides(Expectation expectation, Found found, Judgement judgement) {
        assertThat(Judgement.of(expectation, found.result)).isEqualTo(judgement);
        assertThat(Judgement.of(expectation, found.result, Optional.empty())).isEqualTo(judgement);
    }

    /** The last number: in how many of 200 free trials what gates found was seen too. */
    @ParameterizedTest
    @CsvSource({
        "HOLDS,             NOTHING,   NOTHING,   0, MET",
        "HOLDS,             NOTHING,   GAVE_UP,   0, MET",
        "HOLDS,             NOTHING,   VIOLATION, 1, NOT_MET",
        "HOLDS,             NOTHING,   VIOLATION, 0, UNDECIDED",
        "HOLDS,             NO_COMMIT, VIOLATION, 0, NOT_MET",
        "HOLDS_NO_DEADLOCK, NOTHING,   VIOLATION, 1, NOT_MET",
        "HOLDS_NO_DEADLOCK, NOTHING,   DEADLOCK,  0, MET",
        "HOLDS_NO_DEADLOCK, DEADLOCK,  VIOLATION, 0, NOT_MET",
        "DOES_NOT_HOLD,     NOTHING,   VIOLATION, 1, MET",
        "DOES_NOT_HOLD,     NOTHING,   VIOLATION, 0, UNDECIDED",
        "DOES_NOT_HOLD,     NOTHING,   NOTHING,   0, NOT_MET",
        "DEADLOCKS,         NOTHING,   VIOLATION, 1, NOT_MET"
    })
    void whatIsFoundInsideOfStatementsCountsToo(
            Expectation expectation, Found between, Found inside, int violations, Judgement judgement) {
        Optional<GatedPass> pass = Optional.of(new GatedPass(inside.result, 200, violations));

        assertThat(Judgement.of(expectation, between.result, pass)).isEqualTo(judgement);
    }
}
