package dev.cerrojo.spring.boot.actuate;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.spring.ProtectedMethods;
import dev.cerrojo.spring.SerializationPoints;
import dev.cerrojo.spring.boot.CerrojoProperties;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import javax.sql.DataSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sets up meters, observations, health and the endpoint, each where the application has what it needs. */
@AutoConfiguration(
        afterName = {
            "dev.cerrojo.spring.boot.CerrojoAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnBean({ProtectedMethods.class, SerializationPoints.class})
public class CerrojoActuatorAutoConfiguration {
    /** Made by Spring Boot. */
    public CerrojoActuatorAutoConfiguration() {}

    /** {@return what reads the state} */
    @Bean
    StateQueries cerrojoStateQueries(DataSource dataSource, SerializationPoints points, CerrojoProperties properties) {
        return new StateQueries(dataSource, points, properties.margins().most());
    }

    /** Where there is Micrometer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class Meters {
        @Bean
        CallMeters cerrojoCallMeters(MeterRegistry registry, ProtectedMethods methods) {
            return new CallMeters(registry, methods);
        }
    }

    /** Where there are observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObservationRegistry.class)
    @ConditionalOnBean(ObservationRegistry.class)
    @ConditionalOnProperty(name = "cerrojo.observations.enabled", matchIfMissing = true)
    static class Observations {
        @Bean
        CallObservations cerrojoCallObservations(ObservationRegistry registry) {
            return new CallObservations(registry);
        }
    }

    /** Where there is the Actuator. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class EndpointConfiguration {
        @Bean
        @ConditionalOnAvailableEndpoint
        CerrojoEndpoint cerrojoEndpoint(StateQueries queries) {
            return new CerrojoEndpoint(queries);
        }
    }

    /** Where health is looked at. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AbstractHealthIndicator.class)
    @ConditionalOnEnabledHealthIndicator("cerrojo")
    static class HealthConfiguration {
        @Bean
        CerrojoHealthIndicator cerrojoHealthIndicator(
                Schema schema, CerrojoProperties properties, StateQueries queries) {
            return new CerrojoHealthIndicator(schema, properties.schema().mode(), queries);
        }
    }
}
