package dev.cerrojo.explorer.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Doctors.LastDoctorException;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InterleavingsPostgresTest {
    private final TestDatabase database = TestDatabase.create();
    private final Interleavings race = new Interleavings();
    private final Doctors doctors = new Doctors(race.over(database.dataSource()).dataSource());

    @BeforeEach
    void twoDoctors() throws SQLException {
        Doctors.setUp(database.dataSource(), 2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Findings explore() {
        Findings findings =
                race.mayRefuse(LastDoctorException.class).holds(Doctors.NOBODY).explore();
        System.out.println(findings.text());
        return findings;
    }

    @Test
    void twoWhoCountAndWriteAreFoundViolated() {
        race.session("Ana leaves", () -> doctors.leave("Ana")).session("Ben leaves", () -> doctors.leave("Ben"));

        Findings findings = explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void twoWhoTakeTheShiftFirstHold() {
        race.session("Ana leaves", () -> doctors.leaveLocked("Ana"))
                .session("Ben leaves", () -> doctors.leaveLocked("Ben"));

        assertThat(explore().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void statementsThatCommitByThemselvesAreFoundViolated() {
        race.session("Ana leaves", () -> doctors.leaveWithoutTransaction("Ana"))
                .session("Ben leaves", () -> doctors.leaveWithoutTransaction("Ben"));

        assertThat(explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void retriesAtSerializableHoldAndReachTheCodesOwnLoop() {
        race.session("Ana leaves", () -> doctors.leaveWithRetry("Ana", 5))
                .session("Ben leaves", () -> doctors.leaveWithRetry("Ben", 5))
                .neverFails();

        assertThat(explore().verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void withoutARetryTheErrorReachesTheCaller() {
        race.session("Ana leaves", () -> doctors.leaveWithRetry("Ana", 1))
                .session("Ben leaves", () -> doctors.leaveWithRetry("Ben", 1))
                .neverFails();

        Findings findings = explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.summary()).contains("neverFails");
    }
}
