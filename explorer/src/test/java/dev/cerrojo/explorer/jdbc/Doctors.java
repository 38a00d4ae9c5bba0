package dev.cerrojo.explorer.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Plain JDBC as services write it: a doctor leaves a shift unless it is the last. */
final class Doctors {
    static final String TABLES = """
            CREATE TABLE shift (id int PRIMARY KEY, version int NOT NULL DEFAULT 0);
            CREATE TABLE on_call (shift_id int NOT NULL REFERENCES shift, doctor text NOT NULL, active boolean NOT NULL,
                                  PRIMARY KEY (shift_id, doctor));
            INSERT INTO shift VALUES (1);
            INSERT INTO on_call VALUES (1, 'Ana', true), (1, 'Ben', true), (1, 'Cleo', true)""";

    static final String NOBODY =
            "SELECT id FROM shift WHERE NOT EXISTS (SELECT FROM on_call WHERE shift_id = id AND active)";

    private final DataSource dataSource;

    Doctors(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    static final class LastDoctorException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LastDoctorException(String doctor) {
            super(doctor + " is the last");
        }
    }

    static void setUp(DataSource dataSource, int doctors) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(TABLES);
            sql.execute("UPDATE on_call SET active = false WHERE doctor > '" + "_ABC".charAt(doctors) + "zz'");
        }
    }

    /** Counts, then writes: the race. */
    void leave(String doctor) throws SQLException {
        leave(doctor, "SELECT count(*) FROM on_call WHERE shift_id = 1 AND doctor <> ? AND active");
    }

    /** Takes the shift's row first: the repair. */
    void leaveLocked(String doctor) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement sql = connection.createStatement()) {
                sql.executeUpdate("UPDATE shift SET version = version + 1 WHERE id = 1");
                leave(connection, doctor, "SELECT count(*) FROM on_call WHERE shift_id = 1 AND doctor <> ? AND active");
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private void leave(String doctor, String count) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            leave(connection, doctor, count);
            connection.commit();
        }
    }

    /** With autocommit: every statement commits by itself. */
    void leaveWithoutTransaction(String doctor) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            leave(connection, doctor, "SELECT count(*) FROM on_call WHERE shift_id = 1 AND doctor <> ? AND active");
        }
    }

    /** At SERIALIZABLE, and again when PostgreSQL asks for it. */
    int leaveWithRetry(String doctor, int attempts) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setAutoCommit(false);
                leave(connection, doctor, "SELECT count(*) FROM on_call WHERE shift_id = 1 AND doctor <> ? AND active");
                connection.commit();
                return attempt;
            } catch (SQLException e) {
                if (!"40001".equals(e.getSQLState()) || attempt == attempts) {
                    throw e;
                }
            }
        }
    }

    private static void leave(Connection connection, String doctor, String count) throws SQLException {
        try (PreparedStatement others = connection.prepareStatement(count);
                PreparedStatement leave = connection.prepareStatement(
                        "UPDATE on_call SET active = false WHERE shift_id = 1 AND doctor = ?")) {
            others.setString(1, doctor);
            try (ResultSet row = others.executeQuery()) {
                row.next();
                if (row.getLong(1) == 0) {
                    throw new LastDoctorException(doctor);
                }
            }
            leave.setString(1, doctor);
            leave.executeUpdate();
        }
    }
}
