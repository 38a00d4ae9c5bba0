package dev.cerrojo.explorer.tests.seats;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import javax.sql.DataSource;

/** Seats and lockers of a theatre. */
public final class Seats {
    private final DataSource dataSource;

    public Seats(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** With autocommit: between the two statements, another may write what the first one read. */
    public boolean book(int seat, String guest) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            try (PreparedStatement free =
                    connection.prepareStatement("SELECT FROM seat WHERE number = ? AND guest IS NULL")) {
                free.setInt(1, seat);
                try (ResultSet row = free.executeQuery()) {
                    if (!row.next()) {
                        return false;
                    }
                }
            }
            try (PreparedStatement book = connection.prepareStatement("UPDATE seat SET guest = ? WHERE number = ?")) {
                book.setString(1, guest);
                book.setInt(2, seat);
                return book.executeUpdate() == 1;
            }
        }
    }

    /** With autocommit, in one statement. */
    public boolean bookIfFree(int seat, String guest) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement book =
                        connection.prepareStatement("UPDATE seat SET guest = ? WHERE number = ? AND guest IS NULL")) {
            book.setString(1, guest);
            book.setInt(2, seat);
            return book.executeUpdate() == 1;
        }
    }

    /** As a batch, in the order in which the seats are given. */
    public void bookAll(String guest, int... seats) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement book = connection.prepareStatement("UPDATE seat SET guest = ? WHERE number = ?")) {
            connection.setAutoCommit(false);
            for (int seat : seats) {
                book.setString(1, guest);
                book.setInt(2, seat);
                book.addBatch();
            }
            book.executeBatch();
            connection.commit();
        }
    }

    /** Tries one locker after another, and takes back only what failed. */
    public void takeLocker(String guest, int lockers) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement take = connection.prepareStatement("INSERT INTO locker VALUES (?, ?)")) {
            connection.setAutoCommit(false);
            boolean taken = false;
            for (int locker = 1; locker <= lockers && !taken; locker++) {
                Savepoint before = connection.setSavepoint("before");
                take.setInt(1, locker);
                take.setString(2, guest);
                try {
                    take.executeUpdate();
                    taken = true;
                } catch (SQLException e) {
                    connection.rollback(before);
                }
            }
            connection.commit();
        }
    }
}
