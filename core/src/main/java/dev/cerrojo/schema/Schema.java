package dev.cerrojo.schema;

import dev.cerrojo.internal.BorrowedConnection;
import dev.cerrojo.internal.CatalogRow;
import dev.cerrojo.internal.GuardTable;
import dev.cerrojo.internal.Identifiers;
import dev.cerrojo.internal.InstallationLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Cerrojo's own tables in one schema. Safe for use by several threads and processes.
 *
 * <pre>{@code
 * Schema.over(dataSource).ready(SchemaMode.VALIDATE);
 * }</pre>
 */
public final class Schema {
    /** The tables of each version: what must be there once it is installed. */
    private static final List<String> TABLES = List.of(
            "schema_version",
            "guard",
            "lease",
            "fence",
            "api_request",
            "job",
            "version_head",
            "version",
            "operation_log");

    private final DataSource dataSource;
    private final String name;

    private Schema(DataSource dataSource, String name) {
        this.dataSource = dataSource;
        this.name = name;
    }

    /** {@return the tables in schema {@code cerrojo}} */
    public static Schema over(DataSource dataSource) {
        return over(dataSource, GuardTable.DEFAULT_SCHEMA);
    }

    /** {@return the tables in another schema} */
    public static Schema over(DataSource dataSource, String name) {
        return new Schema(dataSource, name);
    }

    /** {@return the scripts of all versions as one, for a schema without any} */
    public static String script(String name) {
        return SchemaScript.ALL.stream().map(script -> script.sql(name)).collect(Collectors.joining("\n"));
    }

    /** {@return the newest version, which this library needs} */
    public static int version() {
        return SchemaScript.newest();
    }

    /**
     * Does what the mode says.
     *
     * @throws SchemaNotReadyException when the tables are not as this library needs them and may not be made
     * @throws SQLException for whatever else fails
     */
    public void ready(SchemaMode mode) throws SQLException {
        if (mode == SchemaMode.CREATE) {
            create();
        }
        if (mode != SchemaMode.NONE) {
            validate();
        }
    }

    /**
     * Runs the scripts that are missing, in one transaction; several processes may do so at once. Changes nothing when
     * none is missing.
     *
     * @return the versions that were installed by this call
     * @throws SQLException for whatever fails; nothing was changed then
     */
    public List<Integer> create() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            // Each statement must see what others committed while this one waited for the lock.
            return BorrowedConnection.inTransaction(
                    connection, Connection.TRANSACTION_READ_COMMITTED, false, () -> createMissing(connection));
        }
    }

    private List<Integer> createMissing(Connection connection) throws SQLException {
        List<Integer> made = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(InstallationLock.sql(name));
            List<Integer> installed = installed(connection).orElse(List.of());
            for (SchemaScript script : SchemaScript.ALL) {
                if (!installed.contains(script.version())) {
                    statement.execute(script.sql(name));
                    made.add(script.version());
                }
            }
        }
        return made;
    }

    /**
     * Checks that the tables are there, in the version that this library needs.
     *
     * @throws SchemaNotReadyException when they are not
     * @throws SQLException for whatever else fails
     */
    public void validate() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            List<Integer> installed = installed(connection).orElseThrow(this::missing);
            int version = installed.isEmpty() ? 0 : Collections.max(installed);
            if (version > version()) {
                throw new SchemaNotReadyException(
                        "Cerrojo's tables in schema %s are of version %d, newer than this library, which knows %d: use a newer Cerrojo"
                                .formatted(name, version, version()));
            }
            List<Integer> lacking = SchemaScript.ALL.stream()
                    .map(SchemaScript::version)
                    .filter(known -> !installed.contains(known))
                    .toList();
            if (!lacking.isEmpty()) {
                throw new SchemaNotReadyException("Cerrojo's tables in schema %s lack version %s of %d: %s"
                        .formatted(name, lacking, version(), cure()));
            }
            refuseMissingTables(connection);
        }
    }

    private void refuseMissingTables(Connection connection) throws SQLException {
        for (String table : TABLES) {
            if (!exists(connection, table)) {
                throw new SchemaNotReadyException(
                        "table %s of Cerrojo's was dropped after it was installed: make it anew from the script that `./cerrojo schema print` shows"
                                .formatted(qualified(table)));
            }
        }
    }

    private SchemaNotReadyException missing() {
        return new SchemaNotReadyException(
                "Cerrojo's tables are not installed in schema %s: %s".formatted(name, cure()));
    }

    private String cure() {
        return "run `./cerrojo schema install --own-schema %s`, the scripts in classpath:dev/cerrojo/schema with Flyway, or SchemaMode.CREATE"
                .formatted(name);
    }

    /** The versions; empty when the table that tells them does not exist. */
    private Optional<List<Integer>> installed(Connection connection) throws SQLException {
        if (!exists(connection, "schema_version")) {
            return Optional.empty();
        }
        return Optional.of(CatalogRow.all(connection, "SELECT version FROM " + qualified("schema_version")).stream()
                .map(row -> Integer.valueOf(row.text("version")))
                .toList());
    }

    private boolean exists(Connection connection, String table) throws SQLException {
        return !CatalogRow.of(connection, "SELECT to_regclass(?)::text AS found", qualified(table))
                .get(0)
                .text("found")
                .isEmpty();
    }

    private String qualified(String table) {
        return Identifiers.quote(name) + '.' + table;
    }
}
