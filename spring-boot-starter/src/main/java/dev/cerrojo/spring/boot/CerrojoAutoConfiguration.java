package dev.cerrojo.spring.boot;

import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.spring.CerrojoConfiguration;
import dev.cerrojo.tx.TransactionOptions;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Sets up Cerrojo where there is a {@code DataSource} with a transaction manager: its annotations, transactions, guarded transactions
 * and leases, and looks whether its tables are there. What the application declares itself is taken instead.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
@ConditionalOnProperty(name = "cerrojo.enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBean(PlatformTransactionManager.class)
@EnableConfigurationProperties(CerrojoProperties.class)
@Import(CerrojoConfiguration.class)
public class CerrojoAutoConfiguration {
    /** Made by Spring Boot. */
    public CerrojoAutoConfiguration() {}

    /** {@return how transactions are run} */
    @Bean
    @ConditionalOnMissingBean
    TransactionOptions cerrojoTransactionOptions(CerrojoProperties properties) {
        return options(properties);
    }

    static TransactionOptions options(CerrojoProperties properties) {
        CerrojoProperties.TransactionSettings settings = properties.transactions();
        return TransactionOptions.builder()
                .deadline(settings.deadline())
                .maxAttempts(settings.maxAttempts())
                .backoff(settings.backoffBase(), settings.backoffCap())
                .build();
    }

    /** {@return leases in PostgreSQL} */
    @Bean
    @ConditionalOnMissingBean
    Leases cerrojoLeases(DataSource dataSource, CerrojoProperties properties) {
        return Leases.over(dataSource, leaseSettings(properties));
    }

    static LeaseSettings leaseSettings(CerrojoProperties properties) {
        CerrojoProperties.LeaseTimes times = properties.lease();
        return LeaseSettings.builder()
                .leaseDuration(times.duration())
                .renewEvery(times.renewEvery())
                .waitUpTo(times.waitUpTo())
                .pollEvery(times.pollEvery())
                .build();
    }

    /** {@return how requests and jobs are kept} */
    @Bean
    @ConditionalOnMissingBean
    IdempotencySettings cerrojoIdempotencySettings(CerrojoProperties properties) {
        return idempotency(properties);
    }

    static IdempotencySettings idempotency(CerrojoProperties properties) {
        return IdempotencySettings.builder()
                .retention(properties.idempotency().retention())
                .waitUpTo(properties.idempotency().waitUpTo())
                .build();
    }

    /** {@return Cerrojo's own tables} */
    @Bean
    @ConditionalOnMissingBean
    Schema cerrojoSchema(DataSource dataSource) {
        return Schema.over(dataSource);
    }

    /** {@return what looks at the tables, after Flyway and its like} */
    @Bean
    @DependsOnDatabaseInitialization
    SchemaCheck cerrojoSchemaCheck(Schema schema, CerrojoProperties properties) {
        return new SchemaCheck(schema, properties.schema().mode());
    }
}
