package dev.cerrojo.explorer.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Doctors.LastDoctorException;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Sample;
import dev.cerrojo.explorer.search.Search.Mode;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Races that are run by chance. */
class RandomSchedulesPostgresTest {
    private static final long SEED = 20_250;

    private final TestDatabase database = TestDatabase.create();

    @BeforeEach
    void twoDoctors() throws SQLException {
        Doctors.setUp(database.dataSource(), 2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Findings leave(boolean locked, long most) {
        Interleavings race = new Interleavings(new Interleavings.Settings(
                new Bounds(most, Duration.ofMinutes(1)),
                Mode.REDUCED,
                Set.of(),
                Optional.empty(),
                Optional.of(new Sample(30, SEED))));
        Doctors doctors = new Doctors(race.over(database.dataSource()).dataSource());
        race.session("Ana leaves", () -> leave(doctors, "Ana", locked))
                .session("Ben leaves", () -> leave(doctors, "Ben", locked));
        return race.mayRefuse(LastDoctorException.class).holds(Doctors.NOBODY).explore();
    }

    private static void leave(Doctors doctors, String doctor, boolean locked) throws SQLException {
        if (locked) {
            doctors.leaveLocked(doctor);
        } else {
            doctors.leave(doctor);
        }
    }

    @Test
    void aViolationIsFoundAndTheSameSeedFindsItAgain() {
        Findings once = leave(false, 100);
        Findings again = leave(false, 100);

        assertThat(once.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(once.summary()).contains("30 schedules").contains("(seed " + SEED + ")");
        assertThat(again.example().orElseThrow().token())
                .isEqualTo(once.example().orElseThrow().token());
    }

    @Test
    void whatHoldsIsNeverShownByChance() {
        Findings findings = leave(true, 100);

        assertThat(findings.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(findings.summary())
                .isEqualTo("INCONCLUSIVE: no violation of the rule in 30 schedules, but that was not all of them:"
                        + " 30 schedules were run by chance (seed " + SEED + "), not all of them.");
    }

    @Test
    void aBoundThatEndsItLeavesTheSeedInTheMessage() {
        Findings findings = leave(true, 5);

        assertThat(findings.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(findings.summary())
                .contains("stopped after 5 schedules (maxSchedules)")
                .contains("of 30 schedules by chance (seed " + SEED + ")");
    }
}
