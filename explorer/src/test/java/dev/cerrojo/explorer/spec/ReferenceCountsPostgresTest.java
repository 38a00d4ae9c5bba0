package dev.cerrojo.explorer.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Search.Mode;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The counts that are known of well-known specifications, every order of which is run. */
class ReferenceCountsPostgresTest {
    @ParameterizedTest
    @CsvSource({
        "write-skew.spec,    READ_COMMITTED,  6,   4",
        "write-skew.spec,    REPEATABLE_READ, 6,   4",
        "joint-balance.spec, READ_COMMITTED,  20,  12",
        "joint-balance.spec, REPEATABLE_READ, 20,  18",
        "day-report.spec,    READ_COMMITTED,  210, 4",
        "day-report.spec,    REPEATABLE_READ, 210, 6"
    })
    void anomalies(String file, Isolation level, long schedules, long anomalous) throws SQLException {
        SpecResult result = Specs.check(Specs.read(file).withIsolation(level), Mode.EXHAUSTIVE);

        assertThat(result.schedules()).isEqualTo(schedules);
        assertThat(result.anomalous()).isEqualTo(anomalous);
        assertThat(result.aborts()).isEqualTo(Aborts.NONE);
        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.reasons()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"write-skew.spec, 6, 4", "joint-balance.spec, 20, 18", "day-report.spec, 210, 6"})
    void abortsAtSerializableAreNeeded(String file, long schedules, long aborts) throws SQLException {
        SpecResult result = Specs.check(Specs.read(file), Mode.EXHAUSTIVE);

        assertThat(result.schedules()).isEqualTo(schedules);
        assertThat(result.anomalous()).isZero();
        assertThat(result.aborts()).isEqualTo(new Aborts(aborts, aborts, 0, 0));
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
    }
}
