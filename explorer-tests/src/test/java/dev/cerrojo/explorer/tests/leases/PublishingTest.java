package dev.cerrojo.explorer.tests.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of the guide. */
class PublishingTest {
    @Test
    void articlesArePublishedDescribedAndSwapped() throws SQLException {
        List<String> shown = new ArrayList<>();
        try (TestDatabase database = TestDatabase.create();
                HikariDataSource pool = Pools.hikari(database, 2);
                HikariDataSource forLeases = Pools.hikari(database, 3);
                Publishing publishing = new Publishing(pool, forLeases, (article, text, token) -> shown.add(text))) {
            Schema.over(pool).create();
            Pools.execute(pool, """
                    CREATE TABLE article (name text PRIMARY KEY, text text, keywords text, published int NOT NULL DEFAULT 0);
                    INSERT INTO article VALUES ('a', 'A'), ('b', 'B')""");

            publishing.publish("a");
            publishing.swap("b", "a");
            publishing.publish("a");

            assertThat(publishing.describe("a", "new")).isTrue();
            assertThat(shown).containsExactly("A", "B");
            assertThat(articles(pool)).containsExactly("a B new 2", "b A - 0");
        }
    }

    private static List<String> articles(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT concat_ws(' ', name, text, coalesce(keywords, '-'), published) FROM article ORDER BY name")) {
            List<String> articles = new ArrayList<>();
            while (rows.next()) {
                articles.add(rows.getString(1));
            }
            return articles;
        }
    }
}
