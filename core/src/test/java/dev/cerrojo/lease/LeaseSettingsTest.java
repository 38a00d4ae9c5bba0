package dev.cerrojo.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LeaseSettingsTest {
    private static void isRefused(Consumer<LeaseSettings.Builder> change, String message) {
        LeaseSettings.Builder builder = LeaseSettings.builder();
        assertThatThrownBy(() -> {
                    change.accept(builder);
                    builder.build();
                })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void halfOfTheLeaseIsWhenItIsRenewed() {
        LeaseSettings settings =
                LeaseSettings.builder().leaseDuration(Duration.ofSeconds(2)).build();

        assertThat(settings.renewEvery()).isEqualTo(Duration.ofSeconds(1));
        assertThat(LeaseSettings.defaults().leaseDuration()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void eachSettingAndHowTheyRelateIsChecked() {
        isRefused(
                it -> it.leaseDuration(Duration.ofMillis(99)),
                "leaseDuration must be PT0.1S to PT24H, but was PT0.099S");
        isRefused(it -> it.leaseDuration(Duration.ofDays(2)), "leaseDuration must be PT0.1S to PT24H");
        isRefused(it -> it.renewEvery(Duration.ZERO), "renewEvery must be PT0.01S or longer, but was PT0S");
        isRefused(
                it -> it.renewEvery(Duration.ofSeconds(21)),
                "at most two thirds of leaseDuration, so that a renewal that fails can be tried again: PT20S of PT30S, but was PT21S");
        isRefused(it -> it.waitUpTo(Duration.ofSeconds(-1)), "waitUpTo must be PT0S to PT24H, but was PT-1S");
        isRefused(it -> it.pollEvery(Duration.ofMinutes(2)), "pollEvery must be PT0.01S to PT1M, but was PT2M");
    }

    @Test
    void namesOfScopesAreChecked() {
        assertThat(LeaseScope.of("article/42", "seo")).hasToString("article/42 [seo]");
        assertThatThrownBy(() -> LeaseScope.of(""))
                .hasMessageContaining("entity of a lease must be a name of 1 to 500 characters");
        assertThatThrownBy(() -> LeaseScope.of("a\u0000b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LeaseScope.of("a", "g".repeat(101))).hasMessageContaining("group of a lease");
    }

    @Test
    void claimsExcludeByEntityAndGroup() {
        String owner = "0".repeat(32);
        LeaseClaim whole = new LeaseClaim("a", List.of(), owner);
        LeaseClaim seo = new LeaseClaim("a", List.of("seo", "body", "seo"), owner);

        assertThat(seo.groups()).containsExactly("body", "seo");
        assertThat(whole.excludes(seo)).isTrue();
        assertThat(seo.excludes(new LeaseClaim("a", List.of("price"), owner))).isFalse();
        assertThat(seo.excludes(new LeaseClaim("b", List.of("seo"), owner))).isFalse();
        assertThatThrownBy(() -> new LeaseClaim("a", List.of(), "me"))
                .hasMessageContaining("owner of a lease must be 32 hexadecimal digits in lower case, but was \"me\"");
    }
}
