package dev.cerrojo.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.invariant.Invariant;
import dev.cerrojo.invariant.InvariantViolatedException;
import dev.cerrojo.invariant.Rule.Rows;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.RetriesExhaustedException;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Version;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/** On JPA: its changes are in the same transaction, and sent before Cerrojo's statements. */
class JpaPostgresTest {
    private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

    private static AnnotationConfigApplicationContext context;
    private static Managers managers;

    @BeforeAll
    static void start() {
        HIBERNATE.setLevel(Level.SEVERE);
        context = new AnnotationConfigApplicationContext(Jpa.class);
        managers = context.getBean(Managers.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void checkSeesWhatJpaHasNotSentYet() {
        assertThatThrownBy(() -> managers.deactivate(1)).isInstanceOf(InvariantViolatedException.class);
        assertThat(managers.isActive(1)).isTrue();
    }

    /** The control: a statement on the connection that does not flush sees nothing of it. */
    @Test
    void withoutFlushTheChangeIsNotSeen() {
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        int active = template.execute(status -> {
            managers.change(1, false);
            status.setRollbackOnly();
            return jdbc.queryForObject("SELECT count(*)::int FROM manager WHERE active", Integer.class);
        });
        assertThat(active).isOne();
    }

    @Test
    void versionThatIsStaleAtFlushRunsAgain() {
        AtomicInteger ran = new AtomicInteger();
        managers.rename(1, () -> {
            if (ran.incrementAndGet() < 3) {
                elsewhere("UPDATE manager SET version = version + 1");
            }
        });
        assertThat(ran).hasValue(3);
        assertThatThrownBy(() -> managers.rename(1, () -> elsewhere("UPDATE manager SET version = version + 1")))
                .isInstanceOf(RetriesExhaustedException.class)
                .hasRootCauseInstanceOf(org.hibernate.StaleStateException.class);
    }

    @Test
    void uniqueRefusalAtCommitIsNoUnknownOutcome() {
        assertThatThrownBy(() -> managers.twice())
                .isNotInstanceOf(dev.cerrojo.tx.OutcomeUnknownException.class)
                .hasStackTraceContaining("later_id_key");
    }

    private static void elsewhere(String sql) {
        try (Connection connection = context.getBean(DataSource.class).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static class Managers {
        @PersistenceContext
        private EntityManager entities;

        @Guarded(invariant = "one_manager")
        public void deactivate(int id) {
            change(id, false);
        }

        void change(int id, boolean active) {
            entities.find(Manager.class, id).active = active;
        }

        /** Deferred, so that COMMIT refuses it. */
        @Guarded(invariant = "one_manager")
        void twice() {
            entities.createNativeQuery(
                            "CREATE TEMP TABLE later (id int UNIQUE DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP")
                    .executeUpdate();
            entities.createNativeQuery("INSERT INTO later VALUES (1), (1)").executeUpdate();
        }

        boolean isActive(int id) {
            return entities.find(Manager.class, id).active;
        }

        @OptimisticRetry(maxAttempts = 4)
        void rename(int id, Runnable meanwhile) {
            Manager manager = entities.find(Manager.class, id);
            meanwhile.run();
            manager.name = manager.name + "x";
        }
    }

    @Entity(name = "manager")
    static class Manager {
        @Id
        int id;

        boolean active;
        String name;

        @Version
        long version;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCerrojo
    @EnableTransactionManagement
    static class Jpa {
        @Bean
        TestDatabase database() {
            return TestDatabase.create();
        }

        @Bean
        DataSource dataSource(TestDatabase database) throws SQLException {
            com.zaxxer.hikari.HikariDataSource pool = new com.zaxxer.hikari.HikariDataSource();
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setMaximumPoolSize(4);
            Schema.over(pool).create();
            new JdbcTemplate(pool).execute("""
                    CREATE TABLE manager (id int PRIMARY KEY, active boolean NOT NULL, name text, version bigint NOT NULL);
                    INSERT INTO manager VALUES (1, true, 'A', 0)""");
            return pool;
        }

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setPackagesToScan("dev.cerrojo.spring");
            return factory;
        }

        @Bean
        PlatformTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        Invariant oneManager() {
            return Invariant.named("one_manager").atLeast(1, Rows.of("manager").where("active"));
        }

        @Bean
        Managers managers() {
            return new Managers();
        }
    }
}
