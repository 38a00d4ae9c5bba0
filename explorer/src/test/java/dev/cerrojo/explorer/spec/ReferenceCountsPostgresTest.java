package dev.cerrojo.explorer.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.embedded.EmbeddedPostgresException;
import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.explorer.search.Aborts;
import dev.cerrojo.explorer.search.Bounds;
import dev.cerrojo.explorer.search.Progress;
import dev.cerrojo.explorer.search.Search.Mode;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.tx.Isolation;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The counts that are known of well-known specifications, every order of which is run, on each major of PostgreSQL. Majors other
 * than the default are resolved as the command line does it; those that cannot be had are skipped.
 */
@ParameterizedClass
@ValueSource(ints = {15, 16, 17, 18})
class ReferenceCountsPostgresTest {
    private static EmbeddedPostgres postgres;
    private static Server server;

    @Parameter
    int major;

    @BeforeParameterizedClassInvocation
    static void start(int major) throws SQLException {
        try {
            postgres = EmbeddedPostgres.start(EmbeddedPostgres.Options.major(major));
        } catch (EmbeddedPostgresException e) {
            abort("PostgreSQL " + major + " cannot be had here: " + e.getMessage());
        }
        server = Server.connect(postgres.jdbcUrl(), postgres::jdbcUrl);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        if (server != null) {
            server.close();
            postgres.close();
        }
        server = null;
    }

    private SpecResult check(Spec spec) throws SQLException {
        return new SpecChecker(server, new Bounds(100_000, Duration.ofMinutes(5)), Mode.EXHAUSTIVE, Progress.SILENT)
                .check(spec);
    }

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
        SpecResult result = check(Specs.read(file).withIsolation(level));

        assertThat(result.schedules()).isEqualTo(schedules);
        assertThat(result.anomalous()).isEqualTo(anomalous);
        assertThat(result.aborts()).isEqualTo(Aborts.NONE);
        assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(result.reasons()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"write-skew.spec, 6, 4", "joint-balance.spec, 20, 18", "day-report.spec, 210, 6"})
    void abortsAtSerializableAreNeeded(String file, long schedules, long aborts) throws SQLException {
        SpecResult result = check(Specs.read(file));
        assertThat(server.version()).startsWith(major + ".");

        assertThat(result.schedules()).isEqualTo(schedules);
        assertThat(result.anomalous()).isZero();
        assertThat(result.aborts()).isEqualTo(new Aborts(aborts, aborts, 0, 0));
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
    }
}
