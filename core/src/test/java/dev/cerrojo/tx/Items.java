package dev.cerrojo.tx;

import dev.cerrojo.sessions.Session;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** A database with two items, and another session that works on them. */
final class Items implements AutoCloseable {
    private final TestDatabase database = TestDatabase.create();
    private final Session other;

    Items() throws SQLException {
        other = Session.of(database);
        other.run(List.of(
                "CREATE TABLE item (id int PRIMARY KEY, n int NOT NULL DEFAULT 0)",
                "INSERT INTO item VALUES (1), (2)"));
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    TestDatabase database() {
        return database;
    }

    Session other() {
        return other;
    }

    Transactions transactions(Isolation level) {
        return Transactions.over(
                dataSource(), TransactionOptions.builder().isolation(level).build());
    }

    /** What another transaction commits once this one has its snapshot, it cannot update at REPEATABLE READ: 40001. */
    void conflict(Transaction tx) throws SQLException {
        run(tx, "SELECT FROM item");
        other.run("UPDATE item SET n = n + 1 WHERE id = 1");
        run(tx, "UPDATE item SET n = n + 10 WHERE id = 1");
    }

    static void run(Transaction tx, String sql) throws SQLException {
        run(tx.connection(), sql);
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String value(Transaction tx, String sql) throws SQLException {
        try (Statement statement = tx.connection().createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** The numbers of both items as they are committed. */
    String committed() throws SQLException {
        return other.value("SELECT string_agg(n::text, ',' ORDER BY id) FROM item");
    }

    @Override
    public void close() throws SQLException {
        other.close();
        database.close();
    }
}
