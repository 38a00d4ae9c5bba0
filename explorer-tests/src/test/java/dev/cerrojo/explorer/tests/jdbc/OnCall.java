package dev.cerrojo.explorer.tests.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Who is on call: a service in plain JDBC. */
public final class OnCall {
    private final DataSource dataSource;

    public OnCall(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Two who leave at once both count the other. */
    public void leave(int shift, String doctor) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            leave(connection, shift, doctor);
            connection.commit();
        }
    }

    /** Takes the shift first, so that who comes second counts what the first one left. */
    public void leaveOneAfterAnother(int shift, String doctor) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement take = connection.prepareStatement("SELECT FROM shift WHERE id = ? FOR UPDATE")) {
                take.setInt(1, shift);
                take.execute();
            }
            leave(connection, shift, doctor);
            connection.commit();
        }
    }

    private static void leave(Connection connection, int shift, String doctor) throws SQLException {
        try (PreparedStatement others = connection.prepareStatement(
                "SELECT count(*) FROM on_call WHERE shift_id = ? AND doctor <> ? AND active")) {
            others.setInt(1, shift);
            others.setString(2, doctor);
            try (ResultSet row = others.executeQuery()) {
                row.next();
                if (row.getLong(1) == 0) {
                    throw new LastDoctorException(doctor);
                }
            }
        }
        try (PreparedStatement leave =
                connection.prepareStatement("UPDATE on_call SET active = false WHERE shift_id = ? AND doctor = ?")) {
            leave.setInt(1, shift);
            leave.setString(2, doctor);
            leave.executeUpdate();
        }
    }
}
