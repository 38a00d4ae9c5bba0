package dev.cerrojo.backoffice;

import dev.cerrojo.invariant.SerializationPoint;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What {@code @Guarded} finds by name. */
@Configuration(proxyBeanMethods = false)
class InvariantBeans {
    @Bean
    SerializationPoint platform() {
        return Invariants.PLATFORM;
    }

    @Bean
    SerializationPoint tenants() {
        return Invariants.TENANTS;
    }

    @Bean
    SerializationPoint shifts() {
        return Invariants.SHIFTS;
    }
}
