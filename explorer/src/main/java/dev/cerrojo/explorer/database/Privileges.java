package dev.cerrojo.explorer.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** What a role may do. */
final class Privileges {
    private static final String INSUFFICIENT = "42501";

    private Privileges() {}

    /** {@return whether PostgreSQL refused because the role may not} */
    static boolean areInsufficient(SQLException e) {
        return INSUFFICIENT.equals(e.getSQLState());
    }

    /** Asks whether sessions may set the timer that chooses the victim of a deadlock. */
    static boolean maySetDeadlockTimeout(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute("SET deadlock_timeout = '1ms'");
            sql.execute("RESET deadlock_timeout");
            return true;
        } catch (SQLException e) {
            if (!areInsufficient(e)) {
                throw e;
            }
            return false;
        }
    }
}
