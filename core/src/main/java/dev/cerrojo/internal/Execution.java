package dev.cerrojo.internal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Runs statements that give no rows. */
public final class Execution {
    private Execution() {}

    /** Runs statements without places, one after another: question marks are operators. */
    public static void run(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Changes a setting until the transaction ends. */
    public static void set(Connection connection, String setting, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT set_config(?, ?, true)")) {
            statement.setString(1, setting);
            statement.setString(2, value);
            statement.execute();
        }
    }
}
