package dev.cerrojo.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.tx.TransactionOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class SettingsTest {
    @Test
    void defaultsAreThoseOfTheLibrary() {
        CerrojoProperties properties = bound(Map.of());
        assertThat(CerrojoAutoConfiguration.options(properties)).isEqualTo(TransactionOptions.defaults());
        assertThat(CerrojoAutoConfiguration.idempotency(properties).retention())
                .isEqualTo(IdempotencySettings.defaults().retention());
        assertThat(CerrojoAutoConfiguration.idempotency(properties).waitUpTo())
                .isEqualTo(IdempotencySettings.defaults().waitUpTo());
        LeaseSettings lease = CerrojoAutoConfiguration.leaseSettings(properties);
        LeaseSettings defaults = LeaseSettings.defaults();
        assertThat(lease.leaseDuration()).isEqualTo(defaults.leaseDuration());
        assertThat(lease.renewEvery()).isEqualTo(defaults.renewEvery());
        assertThat(lease.waitUpTo()).isEqualTo(defaults.waitUpTo());
        assertThat(lease.pollEvery()).isEqualTo(defaults.pollEvery());
    }

    @ParameterizedTest
    @CsvSource({
        "transactions.max-attempts, 0",
        "transactions.deadline, 0s",
        "transactions.backoff-cap, 1ms",
        "transactions.backoff-base, -1ms",
        "lease.duration, 1ms",
        "lease.renew-every, 29s",
        "lease.wait-up-to, -1s",
        "lease.poll-every, 1ms",
        "idempotency.retention, 0s",
        "idempotency.wait-up-to, 2h",
        "observations.enabled, perhaps",
        "margins.most, 0",
        "schema.mode, maybe",
        "enabled, perhaps"
    })
    void wrongSettingIsRefused(String name, String value) {
        assertThatThrownBy(() -> {
                    CerrojoProperties properties = bound(Map.of("cerrojo." + name, value));
                    CerrojoAutoConfiguration.options(properties);
                    CerrojoAutoConfiguration.leaseSettings(properties);
                    CerrojoAutoConfiguration.idempotency(properties);
                })
                .isInstanceOf(RuntimeException.class);
    }

    private static CerrojoProperties bound(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("cerrojo", CerrojoProperties.class);
    }
}
