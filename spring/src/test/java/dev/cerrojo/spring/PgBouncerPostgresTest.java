package dev.cerrojo.spring;

import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.server.PgBouncer;
import org.junit.jupiter.api.Assumptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Behind a pooler that gives each transaction whatever connection is free. */
class PgBouncerPostgresTest extends AnnotationsContract {
    @Override
    Class<?> configuration() {
        Assumptions.assumeTrue(
                PgBouncer.isInstalled(), "no pgbouncer: install Debian's package pgbouncer for these tests");
        return Behind.class;
    }

    @Override
    void stop() {
        if (PgBouncer.isInstalled()) {
            super.stop();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Behind extends JdbcConfiguration {
        @Bean
        PgBouncer bouncer(TestDatabase database) {
            return PgBouncer.before(database.jdbcUrl());
        }

        @Bean
        @Primary
        Address behind(PgBouncer bouncer) {
            return new Address(bouncer.jdbcUrl());
        }
    }
}
