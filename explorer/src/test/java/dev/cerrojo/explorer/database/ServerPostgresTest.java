package dev.cerrojo.explorer.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerPostgresTest {
    private static List<String> databases() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = TestServer.connect();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("SELECT datname FROM pg_database")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    @Test
    void whoAsksNextIsGivenThePreparedDatabase() throws SQLException {
        try (Server server = Server.at(TestServer.url())) {
            String prepared = String.valueOf(server.prepare().join());

            assertThat(databases()).contains(prepared);
            assertThat(server.create()).isEqualTo(prepared);
            assertThat(server.create()).isNotEqualTo(prepared);
        }
    }

    @Test
    void aPreparedDatabaseThatNobodyWantedIsDropped() throws SQLException {
        Server server = Server.at(TestServer.url());
        String unused = String.valueOf(server.prepare().join());

        server.close();

        assertThat(databases()).doesNotContain(unused);
    }
}
