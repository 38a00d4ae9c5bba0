package dev.cerrojo.explorer.tests.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.StaleVersionException;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of the guide. */
class NewsroomTest {
    @Test
    void articlesAreSavedCountedAndPhotographed() throws SQLException {
        try (TestDatabase database = TestDatabase.create();
                HikariDataSource pool = Pools.hikari(database, 5);
                Leases leases = Leases.over(pool, LeaseSettings.defaults())) {
            Schema.over(pool).create();
            Pools.execute(pool, """
                    CREATE TABLE article (id bigint PRIMARY KEY, title text NOT NULL, body text, thumbnail text,
                      thumbnail_width int, summary text, tags text[] NOT NULL DEFAULT '{}', views bigint NOT NULL DEFAULT 0,
                      version bigint NOT NULL DEFAULT 0);
                    INSERT INTO article (id, title, tags) VALUES (42, 'Old', '{news}')""");
            Newsroom newsroom = new Newsroom(pool, leases);

            assertThat(Newsroom.protect(pool)).isEmpty();
            newsroom.viewed(42);
            newsroom.photograph(42, 0, article -> "picture of " + article);
            assertThat(newsroom.save(42, 0, "New", List.of("news"), List.of("news", "sport")))
                    .isEqualTo(1);
            newsroom.viewed(42);
            assertThatThrownBy(() -> newsroom.photograph(42, 0, article -> "older"))
                    .isInstanceOf(StaleVersionException.class);
            Pools.execute(pool, "UPDATE article SET thumbnail = NULL, tags = '{}', title = 'Newer'");

            assertThat(article(pool)).isEqualTo("Newer picture of 42 320 {news,sport} 2 1");
        }
    }

    private static String article(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT concat_ws(' ', title, thumbnail, thumbnail_width, tags::text, views, version) FROM article")) {
            row.next();
            return row.getString(1);
        }
    }
}
