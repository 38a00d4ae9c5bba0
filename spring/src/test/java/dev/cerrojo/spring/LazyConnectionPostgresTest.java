package dev.cerrojo.spring;

import dev.cerrojo.testsupport.TestDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

class LazyConnectionPostgresTest extends AnnotationsContract {
    @Override
    Class<?> configuration() {
        return Lazy.class;
    }

    @Configuration(proxyBeanMethods = false)
    static class Lazy extends JdbcConfiguration {
        @Override
        @Bean
        DataSource dataSource(TestDatabase database) throws SQLException {
            return new LazyConnectionDataSourceProxy(super.dataSource(database));
        }
    }
}
