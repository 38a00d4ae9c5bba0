package dev.cerrojo.ownership;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The setting by which an owned update tells triggers that it has merged shared fields under the lock of the row. What else
 * writes them may have read them long ago.
 */
final class MergingSetting {
    /** The name of the setting. */
    static final String NAME = "cerrojo.merging";

    /** An SQL expression: whether a merge is being written. */
    static final String EXPRESSION = "current_setting('" + NAME + "', true) IS NOT DISTINCT FROM 'on'";

    private MergingSetting() {}

    static void say(Connection connection, boolean merging) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL " + NAME + " = '" + (merging ? "on" : "") + "'");
        }
    }
}
