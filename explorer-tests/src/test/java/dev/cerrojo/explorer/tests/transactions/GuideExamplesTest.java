package dev.cerrojo.explorer.tests.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the guide, on HikariCP. */
class GuideExamplesTest {
    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource pool = Pools.hikari(database, 1);

    @BeforeEach
    void tables() throws SQLException {
        Pools.execute(pool, """
                CREATE TABLE stock (item text PRIMARY KEY, n int NOT NULL);
                INSERT INTO stock VALUES ('pen', 1);
                CREATE TABLE article (id int PRIMARY KEY, title text, views int NOT NULL, version bigint NOT NULL DEFAULT 0);
                INSERT INTO article VALUES (7, 'Old', 0)""");
    }

    @AfterEach
    void close() {
        pool.close();
        database.close();
    }

    @Test
    void theShopSellsOnce() throws Exception {
        List<String> mails = new ArrayList<>();
        Shop shop = new Shop(pool, mails::add);

        assertThat(shop.order("pen")).isZero();
        assertThatThrownBy(() -> shop.order("pen")).isInstanceOf(SoldOutException.class);
        assertThat(mails).containsExactly("pen");
        poolIsAsItWas();
    }

    @Test
    void articlesAreSavedAtTheirVersion() throws SQLException {
        Articles articles = new Articles(pool);

        assertThat(articles.save(7, 0, "New")).isEqualTo(1);
        assertThat(articles.viewed(7)).isEqualTo(2);
        assertThatThrownBy(() -> articles.save(7, 1, "Newer")).isInstanceOf(StaleVersionException.class);
        poolIsAsItWas();
    }

    private void poolIsAsItWas() throws SQLException {
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(Isolation.of(connection)).isEqualTo(Isolation.READ_COMMITTED);
        }
    }
}
