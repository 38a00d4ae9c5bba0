package dev.cerrojo.testsupport;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty database of one test. All databases of a JVM are on one server: an embedded one, or the one that the environment
 * names as {@code CERROJO_TEST_URL}.
 *
 * <pre>{@code
 * try (TestDatabase database = TestDatabase.create();
 *         Connection connection = database.connect()) {
 *     // CREATE TABLE …
 * }
 * }</pre>
 */
public final class TestDatabase implements AutoCloseable {
    private final TestServer server;
    private final String name;

    private TestDatabase(TestServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** {@return a new, empty database} */
    public static TestDatabase create() {
        TestDatabase database = new TestDatabase(
                TestServer.shared(),
                "cerrojo_test_" + UUID.randomUUID().toString().replace("-", ""));
        database.maintain("CREATE DATABASE " + database.name);
        return database;
    }

    /** {@return a new connection; the caller closes it} */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl());
    }

    /** {@return its URL, user and password included} */
    public String jdbcUrl() {
        return server.jdbcUrl(name);
    }

    /** {@return a source of new connections, without a pool} */
    public DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl());
        return source;
    }

    /** Drops the database; connections that are still open are ended. */
    @Override
    public void close() {
        maintain("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    private void maintain(String sql) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(server.maintenance()));
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql + " failed on the test server: " + failure.getMessage(), failure);
        }
    }
}
