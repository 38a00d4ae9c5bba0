package dev.cerrojo.backoffice;

import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.testsupport.process.Await;
import dev.cerrojo.testsupport.server.RedisServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Two replicas in processes of their own, on one PostgreSQL and one Redis. */
final class Service implements AutoCloseable {
    final TestDatabase database;
    final Replica first;
    final Replica second;
    private final Map<String, String> passwords;

    private Service(TestDatabase database, Replica first, Replica second) {
        this.database = database;
        this.first = first;
        this.second = second;
        this.passwords = first.passwords();
    }

    /** {@return the service with settings beside the servers' addresses} */
    static Service start(Map<String, String> more) {
        TestDatabase database = TestDatabase.create();
        Map<String, String> settings = settings(database, more);
        Replica first = Replica.start(settings);
        return new Service(database, first, Replica.start(settings));
    }

    /** {@return the service as one process} */
    static Service startOne() {
        TestDatabase database = TestDatabase.create();
        Replica only = Replica.start(settings(database, Map.of()));
        return new Service(database, only, only);
    }

    static Map<String, String> settings(TestDatabase database, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("SPRING_DATASOURCE_URL", database.jdbcUrl());
        settings.put("BACKOFFICE_REDISURL", RedisServer.sharedUrl());
        return settings;
    }

    Caller caller(String email) {
        return Caller.of(email, passwords);
    }

    Caller operator() {
        return caller("operator@backoffice.example");
    }

    /**
     * Sends two requests so that both are in the middle of their work: rows that both must write are locked until each waits for a
     * lock. Without that, one may be over before the other begins.
     */
    List<Answer> atOnce(
            String lockRows, Supplier<CompletableFuture<Answer>> one, Supplier<CompletableFuture<Answer>> other)
            throws SQLException {
        try (Connection holder = database.connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(lockRows);
            List<CompletableFuture<Answer>> answers = List.of(one.get(), other.get());
            Await.until("both requests wait for a lock", () -> waiting() == 2);
            holder.commit();
            return answers.stream().map(CompletableFuture::join).toList();
        }
    }

    private long waiting() {
        return number(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
    }

    long number(String sql, Object... values) {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    void execute(String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        first.close();
        second.close();
        database.close();
    }
}
