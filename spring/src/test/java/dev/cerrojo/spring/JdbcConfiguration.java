package dev.cerrojo.spring;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** An application on JDBC. */
@Configuration(proxyBeanMethods = false)
@EnableCerrojo
@EnableTransactionManagement(proxyTargetClass = true)
class JdbcConfiguration {
    @Bean
    TestDatabase database() {
        return TestDatabase.create();
    }

    @Bean
    DataSource dataSource(TestDatabase database) throws SQLException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(database.jdbcUrl());
        pool.setMaximumPoolSize(6);
        Schema.over(pool).create();
        new JdbcTemplate(pool).execute(Roster.TABLES);
        return pool;
    }

    @Bean
    PlatformTransactionManager transactionManager(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    @Bean
    JdbcTemplate jdbc(DataSource dataSource) {
        return new JdbcTemplate(dataSource);
    }

    @Bean
    Invariant coverage() {
        return Roster.COVERAGE;
    }

    @Bean
    Leases leases(DataSource dataSource) {
        return Leases.over(
                dataSource,
                LeaseSettings.builder().waitUpTo(Duration.ofMillis(200)).build());
    }

    @Bean
    Roster roster(JdbcTemplate jdbc) {
        return new Roster(jdbc);
    }
}
