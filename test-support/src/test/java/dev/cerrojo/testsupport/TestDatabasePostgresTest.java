package dev.cerrojo.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class TestDatabasePostgresTest {
    @Test
    void databasesDoNotSeeEachOther() throws SQLException {
        try (TestDatabase one = TestDatabase.create();
                TestDatabase two = TestDatabase.create();
                Connection here = one.connect();
                Connection there = two.dataSource().getConnection();
                Statement statement = here.createStatement();
                ResultSet tables = there.getMetaData().getTables(null, null, "only_here", null)) {
            statement.execute("CREATE TABLE only_here (id int)");
            assertThat(tables.next()).isFalse();
        }
    }

    @Test
    void closingDropsItWithOpenConnections() throws SQLException {
        TestDatabase database = TestDatabase.create();
        try (Connection open = database.connect()) {
            database.close();
            database.close();
            assertThat(open.isValid(1)).isFalse();
        }
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(database::connect)
                .satisfies(refusal -> assertThat(refusal.getSQLState()).isEqualTo("3D000"));
    }

    @Test
    void aServerOfTheUsersIsNamedByItsUrl() {
        TestServer server = TestServer.ofUrl("jdbc:postgresql://db.example:5433/app?user=me&password=x/y");
        assertThat(server.maintenance()).isEqualTo("app");
        assertThat(server.jdbcUrl("other")).isEqualTo("jdbc:postgresql://db.example:5433/other?user=me&password=x/y");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> TestServer.ofUrl("jdbc:mysql://db"))
                .withMessageContaining("but was \"jdbc:mysql://db\"");
    }
}
