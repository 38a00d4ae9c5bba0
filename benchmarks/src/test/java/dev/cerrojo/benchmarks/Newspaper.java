package dev.cerrojo.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.ownership.Ownership;
import dev.cerrojo.ownership.OwnershipOptions;
import dev.cerrojo.ownership.OwnershipTrigger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** A database of articles, with the trigger of their ownership or without. */
final class Newspaper implements AutoCloseable {
    static final int ARTICLES = 1_000;
    static final Ownership OWNERSHIP = Ownership.of("article", "id")
            .editorOwned("title", "body", "slug", "section", "author")
            .systemOwned("summary", "thumbnail", "words", "language", "meta", "rank")
            .build();

    private final HikariDataSource pool;

    private Newspaper(HikariDataSource pool) {
        this.pool = pool;
    }

    static Newspaper create(EmbeddedPostgres server, String name, int clients, List<OwnershipOptions> triggers)
            throws SQLException {
        run(server.jdbcUrl(), "CREATE DATABASE " + name);
        String url = server.jdbcUrl(name);
        run(url, """
                CREATE TABLE article (id int PRIMARY KEY, title text, body text, slug text, section text, author text,
                  summary text, thumbnail text, words int, language text, meta jsonb, rank numeric) WITH (fillfactor = 50);
                INSERT INTO article SELECT n, 't', repeat('body ', 100), 's', 's', 'a', 's', 't', 1, 'en', '{"a": 1}', 0.5
                FROM generate_series(1, %d) AS n""".formatted(ARTICLES));
        for (OwnershipOptions options : triggers) {
            run(url, OwnershipTrigger.of(OWNERSHIP, options).installSql());
        }
        run(url, "VACUUM ANALYZE");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(clients);
        return new Newspaper(new HikariDataSource(config));
    }

    private static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    DataSource pool() {
        return pool;
    }

    @Override
    public void close() {
        pool.close();
    }
}
