package dev.cerrojo.explorer.tests.jpa;

import dev.cerrojo.explorer.jdbc.GatedDataSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** A Spring Boot application with JPA, as its production code has it. */
@SpringBootApplication
public class BankApplication {
    /** What its tests add: gates around the pool that Boot made. */
    @TestConfiguration
    public static class Gates {
        @Bean
        static BeanPostProcessor gates() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource dataSource ? GatedDataSource.around(dataSource) : bean;
                }
            };
        }
    }
}
