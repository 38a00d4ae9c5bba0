package dev.cerrojo.benchmarks.leases;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.schema.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Those that keep locks in PostgreSQL, with a pool of the same size each. */
final class PostgresRivals {
    private PostgresRivals() {}

    static List<Rival> on(EmbeddedPostgres server, int clients) throws SQLException {
        DataSource ours = pool(server, clients);
        Schema.over(ours).create();
        return List.of(
                Ours.inPostgres(ours), shedLock(pool(server, clients)), springIntegration(pool(server, clients)));
    }

    private static Rival shedLock(DataSource pool) throws SQLException {
        run(pool, """
                CREATE TABLE IF NOT EXISTS shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL,
                  locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL)""");
        return new ShedLocks(
                "ShedLock, JdbcTemplate",
                new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                        .withJdbcTemplate(new JdbcTemplate(pool))
                        .usingDbTime()
                        .build()));
    }

    private static Rival springIntegration(DataSource pool) throws SQLException {
        run(pool, """
                CREATE TABLE IF NOT EXISTS int_lock (lock_key CHAR(36) NOT NULL, region VARCHAR(100) NOT NULL, client_id CHAR(36),
                  created_date TIMESTAMP NOT NULL, expired_after TIMESTAMP NOT NULL, PRIMARY KEY (lock_key, region))""");
        DefaultLockRepository repository = new DefaultLockRepository(pool);
        repository.setPrefix("int_");
        repository.setTransactionManager(new JdbcTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        JdbcLockRegistry registry = new JdbcLockRegistry(repository, Rival.LEASE);
        return new Registry("Spring Integration, JDBC", registry::obtain, repository::stop);
    }

    static HikariDataSource pool(EmbeddedPostgres server, int clients) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        // One more to listen on, and one to renew.
        config.setMaximumPoolSize(clients + 2);
        return new HikariDataSource(config);
    }

    private static void run(DataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
