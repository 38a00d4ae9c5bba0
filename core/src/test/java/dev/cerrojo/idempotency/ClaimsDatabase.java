package dev.cerrojo.idempotency;

import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A database with Cerrojo's tables. */
final class ClaimsDatabase implements AutoCloseable {
    private final TestDatabase database = TestDatabase.create();

    ClaimsDatabase() throws SQLException {
        Schema.over(database.dataSource()).create();
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** {@return the number that a query gives} */
    long number(String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
