package dev.cerrojo.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JdbcSqlTest {
    @Test
    void oneVariableBecomesThePlacesAndOperatorsAreEscaped() {
        assertThat(JdbcSql.of("a ? 'x?' AND b = (:scope)::text AND c ?| d[1:n] -- :scope ?", "scope"))
                .isEqualTo(new JdbcSql("a ?? 'x?' AND b = (?)::text AND c ??| d[1:n] -- :scope ?", 1));
        assertThat(JdbcSql.of("SELECT ':scope', :other", "scope")).isEqualTo(new JdbcSql("SELECT ':scope', :other", 0));
    }
}
