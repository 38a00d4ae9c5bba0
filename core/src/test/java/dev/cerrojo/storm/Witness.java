package dev.cerrojo.storm;

import dev.cerrojo.invariant.Invariant;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Reads committed states, again and again, and notes each in which an invariant is violated. */
final class Witness implements Runnable {
    private final String url;
    private final AtomicBoolean over;
    private final AtomicLong states = new AtomicLong();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    Witness(String url, AtomicBoolean over) {
        this.url = url;
        this.over = over;
    }

    @Override
    public void run() {
        while (!over.get()) {
            try (Connection connection = DriverManager.getConnection(url)) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                while (!over.get()) {
                    look(connection);
                    connection.commit();
                }
            } catch (SQLException down) {
                Thread.yield(); // the server is being killed
            }
        }
    }

    void look(Connection connection) throws SQLException {
        for (Invariant invariant : Backoffice.INVARIANTS) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(invariant.violationSql())) {
                while (rows.next()) {
                    violations.add(invariant.name() + " " + rows.getString(1));
                }
            }
        }
        states.incrementAndGet();
    }

    long states() {
        return states.get();
    }

    Queue<String> violations() {
        return violations;
    }
}
