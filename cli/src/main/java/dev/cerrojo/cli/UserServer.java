package dev.cerrojo.cli;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Asks a server of the user's whether Cerrojo may work on it, before anything is made there. */
final class UserServer {
    private static final int OLDEST = 14;

    /** Parameters can be granted since PostgreSQL 15; before, only a superuser may set these. */
    private static final String MAY = """
            SELECT current_user,
                   current_setting('server_version_num')::int / 10000,
                   current_setting('server_version'),
                   (SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user),
                   %s,
                   pg_is_in_recovery()""";

    private static final String IS_SUPERUSER = "(SELECT rolsuper FROM pg_roles WHERE rolname = current_user)";
    private static final String MAY_SET = "has_parameter_privilege('session_replication_role', 'SET')";

    private UserServer() {}

    /** {@return the URL as far as it may be shown: user and password stand in the parameters} */
    static String withoutParameters(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }

    /** {@return what the driver's own message often leaves out: what the network said} */
    static String because(SQLException e) {
        return e.getCause() == null ? "" : " (" + e.getCause() + ")";
    }

    /**
     * Checks it.
     *
     * @throws CommandFailedException with what to do, when Cerrojo cannot work there
     * @throws SQLException if the server cannot be reached
     */
    static void check(String url) throws SQLException {
        if (!url.startsWith("jdbc:postgresql:")) {
            return; // the server's own check says what a URL looks like
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement()) {
            boolean grantable = connection.getMetaData().getDatabaseMajorVersion() >= 15;
            try (ResultSet row = sql.executeQuery(MAY.formatted(grantable ? MAY_SET : IS_SUPERUSER))) {
                row.next();
                check(new Answer(
                        row.getString(1),
                        row.getInt(2),
                        row.getString(3),
                        row.getBoolean(4),
                        row.getBoolean(5),
                        row.getBoolean(6)));
            }
        }
    }

    /** What the server says of itself and of the role. */
    private record Answer(
            String role,
            int major,
            String version,
            boolean createsDatabases,
            boolean setsReplicationRole,
            boolean replica) {}

    private static void check(Answer answer) {
        if (answer.major() < OLDEST) {
            throw refuse("the server must be PostgreSQL " + OLDEST + " or newer, but is " + answer.version());
        }
        if (answer.replica()) {
            throw refuse("the server is a replica, on which nothing can be written: give the URL of its primary");
        }
        List<String> missing = new ArrayList<>();
        String role = "\"" + answer.role().replace("\"", "\"\"") + "\"";
        if (!answer.createsDatabases()) {
            missing.add(
                    "it may not create databases. Cerrojo works only in databases that it made itself. A superuser can"
                            + " allow it:\n    ALTER ROLE " + role + " CREATEDB;");
        }
        if (!answer.setsReplicationRole()) {
            missing.add("it may not SET session_replication_role, which puts the start state back between schedules."
                    + (answer.major() >= 15
                            ? " A superuser can allow it, and with it the choice of a deadlock's victim:\n    GRANT SET ON"
                                    + " PARAMETER session_replication_role, deadlock_timeout TO " + role + ";"
                            : " Before PostgreSQL 15 only a superuser may: use one, or a newer server."));
        }
        if (!missing.isEmpty()) {
            throw refuse("the role " + role + " may not do what Cerrojo needs:\n  - " + String.join("\n  - ", missing));
        }
    }

    private static CommandFailedException refuse(String message) {
        return new CommandFailedException(ExitCode.ENVIRONMENT, message);
    }
}
