package dev.cerrojo.explorer.tests.seats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.junit.Replay;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class SeatsTest {
    private final TestDatabase database = TestDatabase.create();
    private final DataSource dataSource = database.dataSource();
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void twoSeatsAndTwoLockers() throws SQLException {
        Pools.execute(dataSource, """
                CREATE TABLE seat (number int PRIMARY KEY, guest text);
                INSERT INTO seat VALUES (1), (2);
                CREATE TABLE locker (number int PRIMARY KEY, guest text NOT NULL)""");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @InterleavingTest
    void oneGuestIsToldYes(Interleavings race) {
        Seats seats = new Seats(race.over(dataSource).dataSource());
        race.beforeEach(told::clear);
        for (String guest : List.of("Ana", "Ben")) {
            race.session(guest + " books seat 1", () -> {
                if (seats.bookIfFree(1, guest)) {
                    told.add(guest);
                }
            });
        }
        race.holds("one is told yes", () -> assertThat(told).hasSize(1));
    }

    @InterleavingTest
    void withTwoStatementsBothAreToldYes(Interleavings race) {
        Seats seats = new Seats(race.over(dataSource).dataSource());
        race.session("Ana books seat 1", () -> {
                    if (seats.book(1, "Ana")) {
                        told.add("Ana");
                    }
                })
                .session("Ben books seat 1", () -> {
                    if (seats.book(1, "Ben")) {
                        told.add("Ben");
                    }
                })
                .beforeEach(told::clear)
                .holds("one is told yes", () -> assertThat(told).hasSize(1));

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @InterleavingTest
    @Replay("1:AAAABB")
    void oneOrderAgain(Interleavings race) {
        Seats seats = new Seats(race.over(dataSource).dataSource());
        race.session("Ana books seat 1", () -> seats.book(1, "Ana"))
                .session("Ben books seat 1", () -> seats.book(1, "Ben"))
                .holds("SELECT FROM seat WHERE number = 1 AND guest <> 'Ana'");
    }

    @InterleavingTest(maxSchedules = 5_000, timeoutSeconds = 30)
    void twoWhoBookInOneOrderDoNotDeadlock(Interleavings race) {
        Seats seats = new Seats(race.over(dataSource).dataSource());
        race.session("Ana books both", () -> seats.bookAll("Ana", 1, 2))
                .session("Ben books both", () -> seats.bookAll("Ben", 1, 2))
                .neverDeadlocks()
                .isSerializable();
    }

    @InterleavingTest
    void twoWhoBookInDifferentOrdersDeadlock(Interleavings race) {
        Seats seats = new Seats(race.over(dataSource).dataSource());
        race.session("Ana books both", () -> seats.bookAll("Ana", 1, 2))
                .session("Ben books both", () -> seats.bookAll("Ben", 2, 1))
                .neverDeadlocks();

        assertThat(race.explore().verdict()).isEqualTo(Verdict.VIOLATED);
    }

    @InterleavingTest
    void eachGetsALocker(Interleavings race) {
        Seats seats = new Seats(race.over(dataSource).dataSource());
        race.session("Ana takes a locker", () -> seats.takeLocker("Ana", 2))
                .session("Ben takes a locker", () -> seats.takeLocker("Ben", 2))
                .holds("SELECT count(*) FROM locker HAVING count(*) <> 2")
                .neverFails();
    }
}
