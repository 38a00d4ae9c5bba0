package dev.cerrojo.explorer.tests.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.testsupport.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class OnCallTest {
    static final String TABLES = """
            CREATE TABLE shift (id int PRIMARY KEY);
            CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL,
                                  active boolean NOT NULL, PRIMARY KEY (shift_id, doctor));
            INSERT INTO shift VALUES (1);
            INSERT INTO on_call VALUES (1, 'Ana', true), (1, 'Ben', true)""";

    private static final String NOBODY_ON_CALL =
            "SELECT id FROM shift WHERE NOT EXISTS (SELECT FROM on_call WHERE shift_id = id AND active)";

    private final TestDatabase database = TestDatabase.create();
    private final DataSource dataSource = database.dataSource();

    @BeforeEach
    void twoDoctorsAreOnCall() throws SQLException {
        Pools.execute(dataSource, TABLES);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @InterleavingTest
    void aDoctorStays(Interleavings race) {
        OnCall onCall = new OnCall(race.over(dataSource).dataSource());
        race.session("Ana leaves", () -> onCall.leaveOneAfterAnother(1, "Ana"))
                .session("Ben leaves", () -> onCall.leaveOneAfterAnother(1, "Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(NOBODY_ON_CALL)
                .neverDeadlocks();
    }

    @InterleavingTest
    void theRaceIsFoundAsTheGuideShows(Interleavings race) throws IOException {
        OnCall onCall = new OnCall(race.over(dataSource).dataSource());
        race.session("Ana leaves", () -> onCall.leave(1, "Ana"))
                .session("Ben leaves", () -> onCall.leave(1, "Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(NOBODY_ON_CALL);

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(guide()).contains("```text\n" + findings.text() + "\n```");
    }

    @InterleavingTest
    void theVerdictIsAsTheGuideShows(Interleavings race) throws IOException {
        aDoctorStays(race);

        assertThat(guide()).contains("```text\n" + race.explore().text() + "\n```");
    }

    private static String guide() throws IOException {
        return Files.readString(Path.of("..", "docs", "guide", "testing-your-code.md"));
    }
}
