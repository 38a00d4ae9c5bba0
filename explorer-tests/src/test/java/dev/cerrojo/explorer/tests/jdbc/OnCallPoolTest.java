package dev.cerrojo.explorer.tests.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.Rule;
import dev.cerrojo.invariant.Scope;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class OnCallPoolTest {
    private static final Invariant COVERAGE = new Invariant(
            "coverage",
            "somebody is on call",
            Scope.table("shift", "id"),
            Optional.empty(),
            new Rule.AtLeast(1, new Rule.Rows("on_call", Optional.of("shift_id"), Optional.of("active"))));

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource pool = pool(database.jdbcUrl());

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(3); // two sessions, and Cerrojo
        return new HikariDataSource(config);
    }

    @BeforeEach
    void twoDoctorsAreOnCall() throws SQLException {
        Pools.execute(pool, OnCallTest.TABLES);
    }

    @AfterEach
    void close() {
        pool.close();
        database.close();
    }

    @InterleavingTest
    void theShiftIsCovered(Interleavings race) {
        OnCall onCall = new OnCall(race.over(pool).dataSource());
        race.session("Ana leaves", () -> onCall.leaveOneAfterAnother(1, "Ana"))
                .session("Ben leaves", () -> onCall.leaveOneAfterAnother(1, "Ben"))
                .mayRefuse(LastDoctorException.class)
                .holds(COVERAGE);
    }
}
