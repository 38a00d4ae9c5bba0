package dev.cerrojo.explorer.database;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server on which scratch databases are made. They have names of their own; no other database is touched. */
public final class Server implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String maintenanceUrl;
    private final UnaryOperator<String> url;
    private final Connection admin;
    private final String version;
    private @Nullable Boolean setsDeadlockTimeout;

    /** Those not dropped yet. */
    private final Set<String> databases = ConcurrentHashMap.newKeySet();

    private final boolean outlivesUs;

    /** Dropping a database takes a checkpoint; nobody needs to wait for that. */
    private final ExecutorService drops = thread("cerrojo-drops-databases");

    /** Making one takes as long as tens of schedules. */
    private final ExecutorService preparations = thread("cerrojo-makes-databases");

    /** Empty databases that nobody has asked for yet. */
    private final Queue<CompletableFuture<String>> prepared = new ConcurrentLinkedQueue<>();

    private Server(String maintenanceUrl, UnaryOperator<String> url, Connection admin, boolean outlivesUs)
            throws SQLException {
        this.outlivesUs = outlivesUs;
        this.maintenanceUrl = maintenanceUrl;
        this.url = url;
        this.admin = admin;
        this.version = admin.getMetaData().getDatabaseProductVersion();
    }

    /**
     * Connects to a server that ends when its work is done: databases that are not yet dropped when this is closed end with
     * it.
     *
     * @param maintenanceUrl the JDBC URL of a database that one can connect to; nothing is changed in it
     * @param url database name → JDBC URL
     * @return the server
     * @throws SQLException if it cannot be reached
     */
    public static Server connect(String maintenanceUrl, UnaryOperator<String> url) throws SQLException {
        return new Server(maintenanceUrl, url, DriverManager.getConnection(maintenanceUrl), false);
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
        return new Server(
                jdbcUrl,
                database -> base.substring(0, slash + 1) + database + parameters,
                DriverManager.getConnection(jdbcUrl),
                true);
    }

    /** {@return the server's version: {@code 17.11}} */
    public String version() {
        return version;
    }

    private static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Begins to make an empty database ahead of time: whoever asks next is given it.
     *
     * @return ends when it is there; fails when it could not be made, and then whoever asks is told why
     */
    public CompletableFuture<?> prepare() {
        CompletableFuture<String> made = CompletableFuture.supplyAsync(this::createAhead, preparations);
        prepared.add(made);
        return made;
    }

    /** On a connection of its own, because others are made meanwhile. */
    private String createAhead() {
        try (Connection connection = connect()) {
            return create(connection);
        } catch (SQLException e) {
            throw new CompletionException(e);
        }
    }

    /** Makes an empty database, or takes one that was prepared, and returns its name. */
    String create() throws SQLException {
        CompletableFuture<String> ahead = prepared.poll();
        if (ahead != null) {
            try {
                return ahead.join();
            } catch (CompletionException | CancellationException e) {
                // trying again tells why, if it still fails
            }
        }
        return create(admin);
    }

    private String create(Connection connection) throws SQLException {
        byte[] random = new byte[6];
        RANDOM.nextBytes(random);
        String name = "cerrojo_" + HexFormat.of().formatHex(random);
        databases.add(name);
        try (Statement sql = connection.createStatement()) {
            sql.execute("CREATE DATABASE " + name + " TEMPLATE template0");
        }
        return name;
    }

    /** Begins to drop a database; connections that are still open to it are ended. Closing the server waits for that. */
    void drop(String database) {
        drops.execute(() -> {
            // on a connection of its own, because others are made meanwhile
            try (Connection connection = connect()) {
                drop(connection, database);
            } catch (SQLException e) {
                // stays among the leftovers: closing tries once more
            }
        });
    }

    private void drop(Connection connection, String database) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
            databases.remove(database);
        }
    }

    /**
     * Drops every scratch database that is left, whatever other threads still do with it. For a program that must end; may
     * be called from any thread.
     */
    public void dropLeftovers() {
        if (databases.isEmpty()) {
            return;
        }
        try (Connection connection = connect()) {
            for (String database : databases) {
                drop(connection, database);
            }
        } catch (SQLException e) {
            // the server is gone, or ends us; there is nobody left to tell
        }
    }

    /** Waits until every database is dropped that was to be: dropping one takes a checkpoint, which would be measured. */
    public void awaitDrops() {
        CompletableFuture.runAsync(() -> {}, drops).join();
    }

    /** {@return a connection to the database that exists anyway, in which nothing is changed} */
    Connection connect() throws SQLException {
        return DriverManager.getConnection(maintenanceUrl);
    }

    /**
     * Makes commits survive a power cut, on an embedded server, which otherwise saves that time. A server of the user's is left
     * as it is.
     *
     * @return puts it back; tells meanwhile what the server is
     * @throws SQLException if the server cannot do it
     */
    public Durability durable() throws SQLException {
        return Durability.on(maintenanceUrl, !outlivesUs);
    }

    /** Asks once whether sessions may set the timer that chooses the victim of a deadlock. */
    synchronized boolean maySetDeadlockTimeout() throws SQLException {
        if (setsDeadlockTimeout == null) {
            setsDeadlockTimeout = Privileges.maySetDeadlockTimeout(admin);
        }
        return setsDeadlockTimeout;
    }

    String url(String database, String parameters) {
        String plain = url.apply(database);
        return plain + (plain.indexOf('?') < 0 ? '?' : '&') + parameters;
    }

    /** Drops what is left on a server that outlives this. */
    @Override
    public void close() {
        preparations.shutdown();
        drops.shutdown();
        if (outlivesUs) {
            awaitEnds();
            dropLeftovers();
        }
        try {
            admin.close();
        } catch (SQLException e) {
            // the connection is gone, which is what was asked for
        }
    }

    private void awaitEnds() {
        try {
            preparations.awaitTermination(1, TimeUnit.MINUTES);
            drops.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
