package dev.cerrojo.explorer.tests.charges;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.GatedDataSource;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.junit.Replay;
import dev.cerrojo.explorer.schedule.Outcome;
import dev.cerrojo.explorer.schedule.Trace;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.postgresql.ds.PGSimpleDataSource;

/** Clients that crash, or whose COMMIT is never answered, on a pool. */
class ChargesTest {
    private static final int SIZE = 4;
    private static final String TWICE = "SELECT order_id FROM charge GROUP BY order_id HAVING count(*) > 1";

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource pool = Pools.hikari(database, SIZE);

    @BeforeEach
    void noCharges() throws SQLException {
        Pools.execute(pool, """
                CREATE TABLE charge (order_id text NOT NULL, cents int NOT NULL, once boolean NOT NULL DEFAULT false);
                CREATE UNIQUE INDEX ON charge (order_id) WHERE once""");
    }

    @AfterEach
    void close() {
        pool.close();
        database.close();
    }

    @InterleavingTest
    void anOrderIsChargedOnce(Interleavings race) {
        Charges charges = new Charges(race.over(pool).dataSource());
        race.session("pays", () -> charges.chargeOnce("order 7", 1_999))
                .session("pays in another tab", () -> charges.chargeOnce("order 7", 1_999))
                .faults(0, 1)
                .clientRetries()
                .holds(TWICE);
    }

    @InterleavingTest
    void aPoolGivesNobodyABrokenConnection(Interleavings race) throws SQLException {
        Charges charges = new Charges(race.over(pool).dataSource());
        race.session("pays", () -> charges.chargeOnce("order 7", 1_999))
                .faults(1, 1)
                .clientRetries()
                .holds(TWICE)
                .check();

        poolIsWhole();
    }

    /** The control: the same without faults holds. */
    @InterleavingTest
    void withoutFaultsAnOrderIsChargedOnce(Interleavings race) {
        Charges charges = new Charges(race.over(pool).dataSource());
        race.session("pays", () -> charges.charge("order 7", 1_999))
                .session("pays for another order", () -> charges.charge("order 8", 500))
                .holds(TWICE);
    }

    @InterleavingTest
    void whoGetsNoAnswerChargesTwice(Interleavings race) throws SQLException {
        Charges charges = new Charges(race.over(pool).dataSource());
        race.session("pays", () -> charges.charge("order 7", 1_999))
                .session("pays for another order", () -> charges.charge("order 8", 500))
                .faults(0, 1)
                .clientRetries()
                .holds(TWICE);

        Findings findings = race.explore();

        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(findings.example().orElseThrow().token().schedule().hasFaults())
                .isTrue();
        poolIsWhole();
    }

    private void poolIsWhole() throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            all.add(pool.getConnection());
        }
        for (Connection connection : all) {
            try (connection) {
                assertThat(connection.isValid(5)).isTrue();
            }
        }
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }

    /** What a session holds beyond its transactions is free, too, of all of its connections; the pool would keep it. */
    @InterleavingTest
    @Replay("AAABA!B")
    void aCrashBreaksAllConnectionsOfItsSession(Interleavings race) {
        DataSource gated = race.over(pool).dataSource();
        race.session("holds a lock, and charges", () -> {
                    try (Connection other = gated.getConnection();
                            Statement locks = other.createStatement()) {
                        locks.execute("SELECT pg_advisory_lock(7)");
                        new Charges(gated).charge("order 7", 1_999);
                        locks.execute("SELECT pg_advisory_unlock(7)");
                    }
                })
                .session("waits for it", () -> {
                    try (Connection connection = gated.getConnection();
                            Statement locks = connection.createStatement()) {
                        locks.execute("SELECT pg_advisory_xact_lock(7)");
                    }
                })
                .faults(1, 0)
                .holds("SELECT FROM charge");

        Findings findings = race.explore();

        Trace trace = findings.example().orElseThrow().execution().trace();
        assertThat(trace.waited()).isTrue();
        assertThat(trace.outcomes()).containsExactly(new Outcome.Crashed(), new Outcome.Committed());
        assertThat(findings.verdict()).isEqualTo(Verdict.HOLDS);
    }

    /** The pool gets to see the errors of the driver's connections, as it would. */
    @InterleavingTest
    void faultsBelowThePoolAreFoundToo(Interleavings race) {
        PGSimpleDataSource driver = new PGSimpleDataSource();
        driver.setUrl(database.jdbcUrl());
        GatedDataSource gated = GatedDataSource.around(driver);
        HikariConfig config = new HikariConfig();
        config.setDataSource(gated);
        config.setMaximumPoolSize(SIZE);
        config.setMinimumIdle(0);
        try (HikariDataSource above = new HikariDataSource(config)) {
            race.over(gated)
                    .session("pays", () -> {
                        try (Connection connection = above.getConnection();
                                Statement sql = connection.createStatement()) {
                            connection.setAutoCommit(false);
                            sql.execute("INSERT INTO charge VALUES ('order 7', 1999, true) ON CONFLICT DO NOTHING");
                            connection.commit();
                        }
                    })
                    .faults(1, 1)
                    .clientRetries()
                    .holds(TWICE)
                    .check();
        }
    }
}
