package dev.cerrojo.explorer.tests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TRUNCATE, which empties a table while others make a scope that needs its rows. */
class TruncateInterleavingTest {
    private static final ProofTable TABLE = ProofTable.byLevel("TRUNCATE under the trigger guard");
    private static final String NOBODY_NEEDED = "UPDATE shift SET active = false";
    private static final String NEW_SHIFT_HAS_ROWS =
            "ALTER TABLE on_call DROP CONSTRAINT on_call_shift_id_fkey; INSERT INTO on_call VALUES (4, 'A')";
    private static final String APPLIES = "UPDATE shift SET active = true WHERE id = 3";
    private static final String INSERTED = "INSERT INTO shift VALUES (4, true)";

    @AfterAll
    static void print() {
        TABLE.publish();
    }

    /** What made it be refused above READ COMMITTED: there, a shift that its snapshot did not show lost its doctor. */
    @ParameterizedTest(name = "{0} and {1}, {2}")
    @MethodSource("cells")
    void truncateHoldsOrIsRefused(Isolation truncates, Isolation other, String statement) throws SQLException {
        try (Hospital hospital = hospital().guardedBy(TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()))) {
            Trial trial = trial(hospital, truncates, other, statement).neverDeadlocks();

            Findings findings = trial.explore();

            boolean refused = truncates != Isolation.READ_COMMITTED;
            add(truncates, other, statement, refused ? "REFUSED" : "HOLDS", findings);
            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
            assertThat(trial.endings())
                    .allMatch(ending -> ending.startsWith("[" + Trial.NOT_POSSIBLE) == refused)
                    .anyMatch(ending -> ending.endsWith(Trial.COMMITTED + "]"));
        }
    }

    static Stream<Arguments> cells() {
        return Stream.of(APPLIES, INSERTED)
                .flatMap(statement -> Arrays.stream(Isolation.values())
                        .flatMap(level -> Stream.of(level, Isolation.READ_COMMITTED)
                                .distinct()
                                .map(other -> Arguments.of(level, other, statement))));
    }

    /** The control; at READ COMMITTED TRUNCATE's own lock puts the two in order. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {APPLIES, INSERTED})
    void aTriggerThatOnlyCountsDoesNotHold(String statement) throws SQLException {
        try (Hospital hospital = hospital().with(Hospital.countingTriggers(Hospital.COVERAGE))) {
            Isolation level = Isolation.REPEATABLE_READ;

            Findings findings = trial(hospital, level, level, statement).explore();

            add(level, level, "control: " + statement, "VIOLATED", findings);
            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
            assertThat(findings.summary()).doesNotContain("one after another");
        }
    }

    private static Hospital hospital() throws SQLException {
        return Hospital.of(NOBODY_NEEDED, NEW_SHIFT_HAS_ROWS);
    }

    private static Trial trial(Hospital hospital, Isolation truncates, Isolation other, String statement) {
        Trial trial = new Trial(hospital).holds(Hospital.COVERAGE);
        return trial.session(trial.sessions().raw(truncates, "TRUNCATE on_call"))
                .session(trial.sessions().raw(other, statement));
    }

    private static void add(Isolation truncates, Isolation other, String statement, String verdict, Findings findings) {
        String also =
                truncates == other && other != Isolation.READ_COMMITTED ? " at the same level" : " at read committed";
        TABLE.add(statement + also, truncates.sql(), verdict, findings.schedules());
    }
}
