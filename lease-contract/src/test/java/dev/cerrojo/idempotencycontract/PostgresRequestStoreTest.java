package dev.cerrojo.idempotencycontract;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.idempotency.RequestStore;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresRequestStoreTest extends RequestStoreContract {
    private static TestDatabase database;
    private static HikariDataSource pool;

    @BeforeAll
    static void create() throws SQLException {
        database = TestDatabase.create();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        pool = new HikariDataSource(config);
        Schema.over(pool).create();
    }

    @AfterAll
    static void drop() {
        pool.close();
        database.close();
    }

    @Override
    protected RequestStore store() {
        return RequestStore.inPostgres(pool);
    }
}
