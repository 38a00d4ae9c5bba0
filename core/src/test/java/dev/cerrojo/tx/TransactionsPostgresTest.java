package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.testsupport.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionsPostgresTest {
    private static TestDatabase database;

    private final Transactions transactions = Transactions.over(database.dataSource());

    @BeforeAll
    static void open() {
        database = TestDatabase.create();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void table() throws SQLException {
        execute("DROP TABLE IF EXISTS item; CREATE TABLE item (id int PRIMARY KEY, n int NOT NULL DEFAULT 0)");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = database.connect()) {
            execute(connection, sql);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void commitsAndReturnsAResult() throws SQLException {
        String result = transactions.call(tx -> {
            execute(tx.connection(), "INSERT INTO item VALUES (1)");
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void rollsBackWhatThrows() throws SQLException {
        List<String> ran = new ArrayList<>();

        assertThatThrownBy(() -> transactions.run(tx -> {
                    execute(tx.connection(), "INSERT INTO item VALUES (1)");
                    tx.afterCommit(() -> ran.add("after"));
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(count()).isZero();
        assertThat(ran).isEmpty();
    }

    @Test
    void runsAgainAfterASerializationFailure() throws SQLException {
        execute("INSERT INTO item VALUES (1)");
        List<Integer> attempts = new ArrayList<>();
        List<String> ran = new ArrayList<>();

        transactions
                .with(TransactionOptions.builder()
                        .isolation(Isolation.REPEATABLE_READ)
                        .build())
                .run(tx -> {
                    attempts.add(tx.attempt());
                    tx.afterCommit(() -> ran.add("attempt " + tx.attempt()));
                    execute(tx.connection(), "SELECT FROM item");
                    if (tx.attempt() == 1) {
                        execute("UPDATE item SET n = n + 1");
                    }
                    execute(tx.connection(), "UPDATE item SET n = n + 1");
                });

        assertThat(attempts).containsExactly(1, 2);
        assertThat(ran).containsExactly("attempt 2");
    }

    private static long count() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM item")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
