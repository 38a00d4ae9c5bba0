package dev.cerrojo.explorer.tests;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** Pools as services have them. */
public final class Pools {
    private Pools() {}

    public static HikariDataSource hikari(TestDatabase database, int size) {
        return hikari(database, size, Duration.ofSeconds(30));
    }

    /** A pool whose connections have a level, so that no transaction needs to ask for it. */
    public static HikariDataSource hikari(TestDatabase database, int size, Isolation level) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setTransactionIsolation("TRANSACTION_" + level.name());
        return new HikariDataSource(config);
    }

    /** A pool that waits no longer than this; Hikari takes over a later setting only once in a while. */
    public static HikariDataSource hikari(TestDatabase database, int size, Duration patience) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(patience.toMillis());
        return new HikariDataSource(config);
    }

    public static void execute(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
