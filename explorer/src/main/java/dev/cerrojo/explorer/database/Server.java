package dev.cerrojo.explorer.database;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/** A PostgreSQL server on which scratch databases are made. They have names of their own; no other database is touched. */
public final class Server implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final UnaryOperator<String> url;
    private final Connection admin;
    private final String version;

    private Server(UnaryOperator<String> url, Connection admin) throws SQLException {
        this.url = url;
        this.admin = admin;
        this.version = admin.getMetaData().getDatabaseProductVersion();
    }

    /**
     * Connects to a server.
     *
     * @param maintenanceUrl the JDBC URL of a database that one can connect to; nothing is changed in it
     * @param url database name → JDBC URL
     * @return the server
     * @throws SQLException if it cannot be reached
     */
    public static Server connect(String maintenanceUrl, UnaryOperator<String> url) throws SQLException {
        return new Server(url, DriverManager.getConnection(maintenanceUrl));
    }

    /**
     * Connects to a server of the user's. Scratch databases are made beside the one that the URL names.
     *
     * @param jdbcUrl {@code jdbc:postgresql://host:port/database?user=…&password=…}
     * @return the server
     * @throws SQLException if it cannot be reached
     */
    public static Server at(String jdbcUrl) throws SQLException {
        int query = jdbcUrl.indexOf('?');
        String base = query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
        String parameters = query < 0 ? "" : jdbcUrl.substring(query);
        int slash = base.lastIndexOf('/');
        if (!jdbcUrl.startsWith("jdbc:postgresql://") || slash < "jdbc:postgresql://".length()) {
            throw new IllegalArgumentException("the URL of the server must look like"
                    + " jdbc:postgresql://host:port/database?user=…&password=…, but was " + base);
        }
        return connect(jdbcUrl, database -> base.substring(0, slash + 1) + database + parameters);
    }

    /** {@return the server's version: {@code 17.11}} */
    public String version() {
        return version;
    }

    /** Makes an empty database, and returns its name. */
    String create() throws SQLException {
        byte[] random = new byte[6];
        RANDOM.nextBytes(random);
        String name = "cerrojo_" + HexFormat.of().formatHex(random);
        try (Statement sql = admin.createStatement()) {
            sql.execute("CREATE DATABASE " + name + " TEMPLATE template0");
        }
        return name;
    }

    void drop(String database) throws SQLException {
        try (Statement sql = admin.createStatement()) {
            sql.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
        }
    }

    String url(String database, String parameters) {
        String plain = url.apply(database);
        return plain + (plain.indexOf('?') < 0 ? '?' : '&') + parameters;
    }

    @Override
    public void close() {
        try {
            admin.close();
        } catch (SQLException e) {
            // the connection is gone, which is what was asked for
        }
    }
}
