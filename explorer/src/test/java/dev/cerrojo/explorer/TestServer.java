package dev.cerrojo.explorer;

import dev.cerrojo.explorer.database.Server;
import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The one server on which all tests of a JVM explore. */
public final class TestServer {
    private TestServer() {}

    /** Made when it is first asked for; its database is dropped with the server. */
    private static final class Shared {
        private static final TestDatabase MAINTENANCE = TestDatabase.create();
        private static final Server SERVER = connect();

        private static Server connect() {
            try {
                return Server.at(MAINTENANCE.jdbcUrl());
            } catch (SQLException e) {
                throw new IllegalStateException("the test server does not answer", e);
            }
        }
    }

    /** {@return the server; nobody closes it} */
    public static Server shared() {
        return Shared.SERVER;
    }

    /** {@return the URL of a database of ours on that server, as its superuser} */
    public static String url() {
        return Shared.MAINTENANCE.jdbcUrl();
    }

    /** {@return a connection apart from all that are explored; the caller closes it} */
    public static Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }
}
