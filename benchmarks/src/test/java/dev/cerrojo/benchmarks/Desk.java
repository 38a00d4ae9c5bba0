package dev.cerrojo.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.Actor;
import dev.cerrojo.embedded.EmbeddedPostgres;
import dev.cerrojo.explorer.measure.Contender;
import dev.cerrojo.schema.Installation;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.Transactions;
import dev.cerrojo.version.Retention;
import dev.cerrojo.version.VersionTrigger;
import dev.cerrojo.version.VersionTriggerOptions;
import dev.cerrojo.version.VersionTriggers;
import dev.cerrojo.version.VersionedTable;
import dev.cerrojo.version.Versions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** A database of articles, and clients that save one taken by chance: the title, of twelve columns. */
final class Desk implements AutoCloseable {
    private static final VersionedTable ARTICLES = VersionedTable.of("article", "id");
    private static final int ARTICLE_COUNT = 1_000;

    private final HikariDataSource pool;
    private final Transactions transactions;
    private final Versions versions;

    private Desk(HikariDataSource pool) {
        this.pool = pool;
        this.transactions = Transactions.over(pool);
        this.versions = Versions.over(pool).withRetention(Retention.everything());
    }

    static Desk create(EmbeddedPostgres server, String name, int clients, boolean triggers) throws SQLException {
        run(server.jdbcUrl(), "CREATE DATABASE " + name);
        String url = server.jdbcUrl(name);
        run(url, """
                CREATE TABLE article (id int PRIMARY KEY, title text NOT NULL, teaser text, body text, author text, section text,
                  words int, likes int, published boolean, slug text, image text, language text) WITH (fillfactor = 70);
                INSERT INTO article
                SELECT n, 'Title ' || n, repeat('t', 80), repeat('b', 800), 'Ana', 'News', 100, 0, true, 'slug-' || n, 'i.png', 'en'
                FROM generate_series(1, %d) AS n""".formatted(ARTICLE_COUNT));
        Desk desk = new Desk(pool(url, clients));
        Schema.over(desk.pool).create();
        if (triggers) {
            VersionTriggers.over(desk.pool)
                    .install(VersionTrigger.of(ARTICLES, VersionTriggerOptions.defaults()), Installation.defaults());
        }
        run(url, "VACUUM ANALYZE");
        return desk;
    }

    private static HikariDataSource pool(String url, int clients) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(clients);
        return new HikariDataSource(config);
    }

    private static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** One transaction that saves an article. */
    private interface Save {
        void run(Transaction tx, int article, String title) throws SQLException;
    }

    /** Saves without a word. */
    Contender plain(String name) {
        return contender(name, Desk::write);
    }

    /** Says first who acts. */
    Contender saying(String name, Actor actor) {
        return contender(name, (tx, article, title) -> {
            versions.act(tx, actor, "ana");
            write(tx, article, title);
        });
    }

    /** Has the application record it. */
    Contender recording(String name) {
        return contender(
                name,
                (tx, article, title) -> versions.recording(tx, ARTICLES, article, work -> write(work, article, title)));
    }

    private static void write(Transaction tx, int article, String title) throws SQLException {
        try (PreparedStatement statement =
                tx.connection().prepareStatement("UPDATE article SET title = ? WHERE id = ?")) {
            statement.setString(1, title);
            statement.setInt(2, article);
            statement.executeUpdate();
        }
    }

    private Contender contender(String name, Save save) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Client client(int number) {
                return new Saver(save, new Random(number));
            }
        };
    }

    /** One client. */
    private final class Saver implements Contender.Client {
        private final Save save;
        private final Random random;

        Saver(Save save, Random random) {
            this.save = save;
            this.random = random;
        }

        @Override
        public int transaction() {
            int article = 1 + random.nextInt(ARTICLE_COUNT);
            String title = "Title " + random.nextLong();
            return transactions.<Integer, RuntimeException>call(tx -> {
                        save.run(tx, article, title);
                        return tx.attempt();
                    })
                    - 1;
        }

        @Override
        public void close() {
            // its connections belong to the desk's pool
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
