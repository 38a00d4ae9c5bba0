package dev.cerrojo.explorer.tests.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.GatedDataSource;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.jdbc.NotExplorableException;
import dev.cerrojo.explorer.jdbc.SessionBody;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class PoolTest {
    private final TestDatabase database = TestDatabase.create();
    private final Interleavings race = new Interleavings();

    @BeforeEach
    void counter() throws SQLException {
        Pools.execute(database.dataSource(), "CREATE TABLE counter (n int NOT NULL); INSERT INTO counter VALUES (0)");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static SessionBody add(DataSource dataSource) {
        return () -> {
            try (Connection connection = dataSource.getConnection();
                    Statement sql = connection.createStatement()) {
                connection.setAutoCommit(false);
                sql.executeUpdate("UPDATE counter SET n = n + 1");
                connection.commit();
            }
        };
    }

    private Interleavings twoAdd(DataSource dataSource) {
        return race.over(dataSource)
                .session("one", add(race.dataSource()))
                .session("two", add(race.dataSource()))
                .holds("both count", "SELECT n FROM counter WHERE n <> 2");
    }

    @Test
    void aPoolWithOneConnectionForEachAndOneMoreIsEnough() {
        try (HikariDataSource pool = Pools.hikari(database, 3)) {
            twoAdd(pool).check();
        }
    }

    @Test
    void aPoolThatIsTooSmallIsNamedAndNotCalledAnOrder() {
        try (HikariDataSource pool = Pools.hikari(database, 2)) {
            twoAdd(pool);
            assertThatThrownBy(race::explore)
                    .isInstanceOf(NotExplorableException.class)
                    .hasMessageContaining("the pool is too small: session B waits for one")
                    .hasMessageContaining("the sessions hold 1 (A 1, B 0) and Cerrojo holds 1")
                    .hasMessageContaining("the pool gives at most 2")
                    .hasMessageContaining("at least 3 connections for these 2 sessions");
        }
    }

    @Test
    void aPoolThatGivesUpSoonIsNamedToo() {
        try (HikariDataSource pool = Pools.hikari(database, 2, Duration.ofMillis(300))) {
            twoAdd(pool);
            assertThatThrownBy(race::explore)
                    .isInstanceOf(NotExplorableException.class)
                    .hasMessageContaining("the pool is too small: session B got the error");
        }
    }

    @Test
    void aSessionThatNeedsTwoConnectionsIsCounted() {
        try (HikariDataSource pool = Pools.hikari(database, 3)) {
            DataSource gated = race.over(pool).dataSource();
            SessionBody nested = () -> {
                try (Connection outer = gated.getConnection();
                        Statement sql = outer.createStatement()) {
                    outer.setAutoCommit(false);
                    sql.execute("SELECT n FROM counter");
                    add(gated).run();
                    outer.commit();
                }
            };
            race.session("one", nested).session("two", nested).neverDeadlocks();

            assertThatThrownBy(race::explore)
                    .hasMessageContaining("the pool is too small")
                    .hasMessageContaining("(A 1, B 1)");
        }
    }

    @Test
    void gatesBelowThePoolWorkToo() {
        PGSimpleDataSource driver = new PGSimpleDataSource();
        driver.setUrl(database.jdbcUrl());
        GatedDataSource gated = GatedDataSource.around(driver);
        HikariConfig config = new HikariConfig();
        config.setDataSource(gated);
        config.setMaximumPoolSize(3);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            race.over(gated)
                    .session("one", add(pool))
                    .session("two", add(pool))
                    .holds("both count", "SELECT n FROM counter WHERE n <> 2");

            assertThat(race.explore().verdict()).isEqualTo(Verdict.HOLDS);
        }
    }
}
