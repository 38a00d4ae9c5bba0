package dev.cerrojo.explorer.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Doctors.LastDoctorException;
import dev.cerrojo.explorer.search.Search;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reduced search sees every ending of Java code that running every schedule sees. */
class JavaReductionPostgresTest {
    private final TestDatabase database = TestDatabase.create();
    private final Map<String, String> outcomes = new ConcurrentSkipListMap<>();

    @BeforeEach
    void twoDoctors() throws SQLException {
        Doctors.setUp(database.dataSource(), 2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** One way to write the code. */
    enum Way {
        COUNTS {
            @Override
            void leave(DataSource source, String doctor) throws SQLException {
                new Doctors(source).leave(doctor);
            }
        },
        LOCKS {
            @Override
            void leave(DataSource source, String doctor) throws SQLException {
                new Doctors(source).leaveLocked(doctor);
            }
        },
        COMMITS_EACH {
            @Override
            void leave(DataSource source, String doctor) throws SQLException {
                new Doctors(source).leaveWithoutTransaction(doctor);
            }
        },
        RETRIES {
            @Override
            void leave(DataSource source, String doctor) throws SQLException {
                new Doctors(source).leaveWithRetry(doctor, 3);
            }
        },
        BATCHES {
            @Override
            void leave(DataSource source, String doctor) throws SQLException {
                try (Connection connection = source.getConnection();
                        Statement sql = connection.createStatement()) {
                    sql.addBatch("UPDATE on_call SET active = (SELECT count(*) > 1 FROM on_call o WHERE o.active)"
                            + " WHERE doctor = '" + doctor + "'");
                    sql.addBatch("UPDATE shift SET version = 2 * version + ascii('" + doctor + "') WHERE id = 1");
                    sql.executeBatch();
                }
            }
        };

        abstract void leave(DataSource source, String doctor) throws SQLException;
    }

    private Set<String> endings(Search.Mode mode, Way way, boolean reads) {
        Interleavings.Settings standard = Interleavings.Settings.standard();
        Interleavings race = new Interleavings(
                        new Interleavings.Settings(standard.bounds(), mode, standard.disposable(), Optional.empty()))
                .over(database.dataSource());
        Set<String> endings = new TreeSet<>();
        session(race, "Ana", () -> way.leave(race.dataSource(), "Ana"));
        session(
                race,
                "Ben",
                reads
                        ? () -> outcomes.put("read", rows(race.dataSource()))
                        : () -> way.leave(race.dataSource(), "Ben"));
        race.beforeEach(outcomes::clear)
                .mayRefuse(LastDoctorException.class)
                .holds("seen", () -> endings.add(outcomes + " " + rows(database.dataSource())));
        assertThat(race.explore().verdict()).isEqualTo(Verdict.HOLDS);
        return endings;
    }

    private void session(Interleavings race, String name, SessionBody body) {
        race.session(name, () -> {
            try {
                body.run();
                outcomes.put(name, "done");
            } catch (SQLException e) {
                outcomes.put(name, String.valueOf(e.getSQLState()));
                throw e;
            } catch (LastDoctorException e) {
                outcomes.put(name, "refused");
                throw e;
            }
        });
    }

    private static String rows(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(
                        "SELECT (SELECT string_agg(doctor, ' ' ORDER BY doctor) FROM on_call WHERE active), version FROM shift")) {
            row.next();
            return row.getString(1) + ", version " + row.getInt(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoSessionsEndAlike(Way way) {
        assertThat(endings(Search.Mode.REDUCED, way, false))
                .isEqualTo(endings(Search.Mode.EXHAUSTIVE, way, false))
                .hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource
    void oneWhoWritesAndOneWhoReadsDoToo(Way way) {
        assertThat(endings(Search.Mode.REDUCED, way, true))
                .isEqualTo(endings(Search.Mode.EXHAUSTIVE, way, true))
                .hasSizeGreaterThan(1);
    }
}
