package dev.cerrojo.explorer.tests.invariants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.schema.Finding;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.schema.SchemaMode;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RotaInterleavingTest {
    private final TestDatabase database = TestDatabase.create();
    private final DataSource dataSource = database.dataSource();

    @BeforeEach
    void twoShiftsWithTwoDoctors() throws SQLException {
        Pools.execute(dataSource, """
                CREATE TABLE shift (id int PRIMARY KEY, active boolean NOT NULL);
                CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL,
                                      active boolean NOT NULL, PRIMARY KEY (shift_id, doctor));
                INSERT INTO shift VALUES (1, true), (2, true);
                INSERT INTO on_call VALUES (1, 'Ana', true), (1, 'Ben', true), (2, 'Ana', true), (2, 'Ben', true)""");
        Schema.over(dataSource).ready(SchemaMode.CREATE);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @InterleavingTest
    void aDoctorStays(Interleavings race) {
        Rota rota = new Rota(race.over(dataSource).dataSource());
        race.session("Ana leaves", () -> rota.leave(1, "Ana"))
                .session("Ben leaves", () -> rota.leave(1, "Ben"))
                .mayRefuse(InvariantViolatedException.class)
                .holds(Rota.COVERAGE)
                .neverDeadlocks();
    }

    /** In opposite directions, and both scopes are taken in one order. */
    @InterleavingTest
    void doctorsWhoMoveNeverDeadlock(Interleavings race) {
        Rota rota = new Rota(race.over(dataSource).dataSource());
        race.session("Ana moves", () -> rota.move("Ana", 1, 2))
                .session("Ben moves", () -> rota.move("Ben", 2, 1))
                .mayRefuse(InvariantViolatedException.class)
                .holds(Rota.COVERAGE)
                .neverDeadlocks();
    }

    @InterleavingTest
    void theTriggerGuardsWhoDoesNot(Interleavings race) throws SQLException {
        new RotaDatabase(dataSource).ready();
        Rota rota = new Rota(race.over(dataSource).dataSource());
        race.session("Ana leaves", () -> assertThat(rota.tryLeave(1, "Ana")).isIn(true, false))
                .session("Ben leaves", () -> rota.leave(1, "Ben"))
                .mayRefuse(InvariantViolatedException.class)
                .holds(Rota.COVERAGE);
    }

    @Test
    void driftIsToldByItsKind() throws SQLException {
        RotaDatabase rotaDatabase = new RotaDatabase(dataSource);
        rotaDatabase.ready();
        rotaDatabase.ready();
        assertThat(rotaDatabase.drift()).isEmpty();

        Pools.execute(dataSource, "ALTER TABLE on_call DISABLE TRIGGER USER");

        assertThat(rotaDatabase.drift()).extracting(Finding::kind).containsOnly(Finding.Kind.TRIGGER_DISABLED);
    }

    /** The control: nobody guards. */
    @InterleavingTest
    void withoutAGuardNobodyStays(Interleavings race) {
        Rota rota = new Rota(race.over(dataSource).dataSource());
        race.session("Ana leaves", () -> rota.tryLeave(1, "Ana"))
                .session("Ben leaves", () -> rota.tryLeave(1, "Ben"))
                .holds(Rota.COVERAGE);

        assertThat(race.explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }
}
