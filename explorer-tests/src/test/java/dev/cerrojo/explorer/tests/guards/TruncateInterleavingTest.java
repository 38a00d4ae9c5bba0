package dev.cerrojo.explorer.tests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.guard.GuardOptions;
import dev.cerrojo.guard.TriggerGuard;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TRUNCATE, which empties a table while others make a scope that needs its rows. */
class TruncateInterleavingTest {
    private static final ProofTable TABLE = new ProofTable();
    private static final String NOBODY_NEEDED = "UPDATE shift SET active = false";
    private static final String NEW_SHIFT_HAS_ROWS =
            "ALTER TABLE on_call DROP CONSTRAINT on_call_shift_id_fkey; INSERT INTO on_call VALUES (4, 'A')";
    private static final String APPLIES = "UPDATE shift SET active = true WHERE id = 3";
    private static final String INSERTED = "INSERT INTO shift VALUES (4, true)";

    @AfterAll
    static void print() {
        TABLE.print("TRUNCATE under the trigger guard");
    }

    @ParameterizedTest(name = "{0} and {1}, {2}")
    @CsvSource({
        "READ_COMMITTED, READ_COMMITTED, " + APPLIES,
        "REPEATABLE_READ, REPEATABLE_READ, " + APPLIES,
        "SERIALIZABLE, SERIALIZABLE, " + APPLIES,
        "SERIALIZABLE, READ_COMMITTED, " + APPLIES,
        "READ_COMMITTED, READ_COMMITTED, '" + INSERTED + "'",
        "REPEATABLE_READ, REPEATABLE_READ, '" + INSERTED + "'",
        "SERIALIZABLE, SERIALIZABLE, '" + INSERTED + "'",
        "SERIALIZABLE, READ_COMMITTED, '" + INSERTED + "'"
    })
    void truncateHolds(Isolation truncates, Isolation other, String statement) throws SQLException {
        try (Hospital hospital = Hospital.of(NOBODY_NEEDED, NEW_SHIFT_HAS_ROWS)
                .guardedBy(TriggerGuard.of(Hospital.COVERAGE, GuardOptions.defaults()))) {
            Trial trial = new Trial(hospital).holds(Hospital.COVERAGE).neverDeadlocks();
            trial.session(trial.sessions().raw(truncates, "TRUNCATE on_call"))
                    .session(trial.sessions().raw(other, statement));
            Findings findings = trial.explore();
            TABLE.add(
                    "TRUNCATE at %s, %s at %s".formatted(truncates.sql(), statement, other.sql()),
                    findings.verdict().name(),
                    findings);
            assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.HOLDS);
        }
    }
}
