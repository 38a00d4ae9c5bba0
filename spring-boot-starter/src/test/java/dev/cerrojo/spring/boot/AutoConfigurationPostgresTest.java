package dev.cerrojo.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.schema.SchemaNotReadyException;
import dev.cerrojo.spring.Guarded;
import dev.cerrojo.spring.NotWovenException;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Transactions;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application gets, and what it is told when it cannot start. */
class AutoConfigurationPostgresTest {
    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = TestDatabase.create();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        CerrojoAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + database.jdbcUrl(), "spring.datasource.hikari.maximum-pool-size=3");
    }

    @Test
    void guardedMethodIsProtected() {
        runner().withUserConfiguration(Application.class)
                .withPropertyValues("cerrojo.schema.mode=create", "cerrojo.transactions.max-attempts=7")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(Leases.class);
                    assertThat(context.getBean(Transactions.class).options().maxAttempts())
                            .isEqualTo(7);
                    context.getBean(JdbcTemplate.class)
                            .execute(
                                    "CREATE TABLE manager (name text, active boolean); INSERT INTO manager VALUES ('A', true)");
                    Managers managers = context.getBean(Managers.class);
                    Assertions.assertThatThrownBy(() -> managers.deactivate("A"))
                            .isInstanceOf(InvariantViolatedException.class);
                });
    }

    @Test
    void missingTablesAreAnalyzedWithTheCure() {
        try (TestDatabase empty = TestDatabase.create()) {
            runner().withPropertyValues("spring.datasource.url=" + empty.jdbcUrl())
                    .run(context -> {
                        assertThat(context).hasFailed();
                        FailureAnalysis analysis =
                                new SchemaNotReadyFailureAnalyzer().analyze(context.getStartupFailure());
                        assertThat(analysis.getDescription()).contains("not installed in schema cerrojo");
                        assertThat(analysis.getAction())
                                .contains(
                                        "cerrojo.schema.mode=create",
                                        "spring.flyway.locations",
                                        "cerrojo.schema.mode=none");
                        assertThat(analysis.getCause()).isInstanceOf(SchemaNotReadyException.class);
                    });
            runner().withPropertyValues("spring.datasource.url=" + empty.jdbcUrl(), "cerrojo.schema.mode=none")
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }

    @Test
    void annotationWithoutEffectIsAnalyzed() {
        runner().withUserConfiguration(Broken.class)
                .withPropertyValues("cerrojo.schema.mode=none")
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = new NotWovenFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("is final");
                    assertThat(analysis.getCause()).isInstanceOf(NotWovenException.class);
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Invariant oneManager() {
            return Invariant.named("one_manager").atLeast(1, Rows.of("manager").where("active"));
        }

        @Bean
        Managers managers(JdbcTemplate jdbc) {
            return new Managers(jdbc);
        }
    }

    static class Managers {
        private final JdbcTemplate jdbc;

        Managers(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Guarded(invariant = "one_manager")
        void deactivate(String name) {
            jdbc.update("UPDATE manager SET active = false WHERE name = ?", name);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Broken {
        @Bean
        Object managers() {
            return new Object() {
                @Guarded(invariant = "one_manager")
                final void deactivate() {}
            };
        }
    }
}
