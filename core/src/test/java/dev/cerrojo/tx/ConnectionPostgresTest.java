package dev.cerrojo.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cerrojo.testsupport.TestDatabase;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** The connection that the work gets, and the one that the data source gets back. */
class ConnectionPostgresTest {
    private Items items;
    private OneConnection one;
    private Transactions transactions;

    @BeforeEach
    void open() throws SQLException {
        items = new Items();
        one = new OneConnection(items.database());
        transactions = Transactions.over(one.dataSource());
    }

    @AfterEach
    void close() throws SQLException {
        one.close();
        items.close();
    }

    private interface Use {
        void of(Connection connection) throws SQLException;
    }

    private void isRefused(String instead, Use use) throws SQLException {
        assertThatThrownBy(() -> transactions.run(tx -> {
                    Items.run(tx, "UPDATE item SET n = 7");
                    use.of(tx.connection());
                }))
                .isInstanceOf(TransactionControlException.class)
                .hasMessageContaining(instead);
        assertThat(items.committed()).isEqualTo("0,0");
        assertThat(one.isGivenBack()).isTrue();
    }

    @Test
    void whatWouldEndOrChangeTheTransactionIsRefused() throws SQLException {
        isRefused("return from the work", Connection::commit);
        isRefused("throw from the work", Connection::rollback);
        isRefused("given back", Connection::close);
        isRefused("leave it out", connection -> connection.setAutoCommit(true));
        isRefused("isolation", connection -> connection.setTransactionIsolation(Isolation.SERIALIZABLE.jdbcLevel()));
        isRefused("readOnly", connection -> connection.setReadOnly(true));
        isRefused("return from the work", connection -> Items.run(connection, "SELECT 1; COMMIT"));
        isRefused("return from the work", connection -> connection.prepareStatement("commit"));
        isRefused("return from the work", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.getConnection().createStatement().addBatch("ROLLBACK");
            }
        });
    }

    @Test
    void afterTheWorkItIsRefused() {
        List<Connection> kept = new ArrayList<>();
        List<Transaction> keptTransaction = new ArrayList<>();
        transactions.run(tx -> {
            keptTransaction.add(tx);
            kept.add(tx.connection());
        });

        assertThatThrownBy(() -> kept.get(0).createStatement())
                .isInstanceOf(TransactionControlException.class)
                .hasMessageContaining("has ended");
        assertThatThrownBy(() -> keptTransaction.get(0).afterCommit(() -> {}))
                .isInstanceOf(TransactionControlException.class);
    }

    @Test
    void whatItMakesLeadsBackToIt() {
        transactions.run(tx -> {
            Connection connection = tx.connection();
            try (PreparedStatement statement = connection.prepareStatement("SELECT ARRAY[1, 2], n FROM item");
                    ResultSet rows = statement.executeQuery()) {
                assertThat(statement.getConnection()).isSameAs(connection);
                assertThat(rows.getStatement()).isSameAs(statement);
                assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
                rows.next();
                try (PreparedStatement again = connection.prepareStatement("SELECT ?")) {
                    again.setArray(1, rows.getArray(1));
                    assertThat(again.executeQuery().next()).isTrue();
                }
            }
        });
    }

    @Test
    void unwrapIsTruthful() {
        transactions.run(tx -> {
            Connection connection = tx.connection();
            assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
            assertThat(connection.unwrap(PGConnection.class)).isSameAs(one.real());
            assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
            assertThat(connection.isWrapperFor(List.class)).isFalse();
        });
    }

    @Test
    void whatFailsBehindItIsNotCommittedEither() throws SQLException {
        assertThatThrownBy(() -> transactions.run(tx -> {
                    Items.run(tx, "UPDATE item SET n = 7");
                    try {
                        tx.connection()
                                .unwrap(PGConnection.class)
                                .getCopyAPI()
                                .copyIn("COPY item FROM STDIN", new StringReader("1\t1\n"));
                    } catch (Exception e) {
                        // as careless code does
                    }
                }))
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("unwrap");

        assertThat(items.committed()).isEqualTo("0,0");
    }

    @Test
    void itIsGivenBackAsItWas() throws SQLException {
        Transactions serializable = transactions.with(TransactionOptions.builder()
                .isolation(Isolation.SERIALIZABLE)
                .readOnly(true)
                .build());
        List<Isolation> levels = new ArrayList<>();

        serializable.run(tx -> levels.add(tx.isolation()));
        assertThatThrownBy(() -> serializable.run(tx -> Items.run(tx, "UPDATE item SET n = 7")))
                .isInstanceOfSatisfying(
                        TransactionFailedException.class,
                        e -> assertThat(e.sqlState()).contains("25006"));

        assertThat(levels).containsExactly(Isolation.SERIALIZABLE);
        assertThat(one.isGivenBack()).isTrue();
        assertThat(one.real().getAutoCommit()).isTrue();
        assertThat(one.real().isReadOnly()).isFalse();
        assertThat(Isolation.of(one.real())).isEqualTo(Isolation.READ_COMMITTED);
        Items.run(one.real(), "UPDATE item SET n = 8");
        assertThat(items.committed()).isEqualTo("8,8");
    }

    @Test
    void oneThatHasNoAutocommitIsCommittedAndGivenBackSo() throws SQLException {
        one.real().setAutoCommit(false);

        transactions.run(tx -> Items.run(tx, "UPDATE item SET n = 7"));

        assertThat(one.real().getAutoCommit()).isFalse();
        assertThat(items.committed()).isEqualTo("7,7");
    }

    @Test
    void aTransactionThatIsOpenIsRefused() throws SQLException {
        one.real().setAutoCommit(false);
        Items.run(one.real(), "UPDATE item SET n = 7");

        assertThatThrownBy(() -> transactions.run(tx -> Items.run(tx, "UPDATE item SET n = 8")))
                .isInstanceOf(NestedTransactionException.class)
                .hasMessageContaining("JOIN");

        assertThat(one.isGivenBack()).isTrue();
        one.real().commit();
        assertThat(items.committed()).isEqualTo("7,7");
    }

    private Transactions joining() {
        return transactions.with(
                TransactionOptions.builder().outer(OuterTransaction.JOIN).build());
    }

    @Test
    void aTransactionThatIsOpenIsJoined() throws SQLException {
        one.real().setAutoCommit(false);
        Items.run(one.real(), "UPDATE item SET n = 7 WHERE id = 1");

        joining().run(tx -> Items.run(tx, "UPDATE item SET n = 8 WHERE id = 2"));

        assertThat(one.isGivenBack()).isTrue();
        assertThat(items.committed()).isEqualTo("0,0");
        one.real().commit();
        assertThat(items.committed()).isEqualTo("7,8");
    }

    @Test
    void whatIsJoinedIsNeitherRunAgainNorRolledBack() throws SQLException {
        one.real().setAutoCommit(false);
        Items.run(one.real(), "UPDATE item SET n = 7");
        List<Integer> attempts = new ArrayList<>();

        assertThatThrownBy(() -> joining().run(tx -> {
                    attempts.add(tx.attempt());
                    throw new SQLException("could not serialize", "40001");
                }))
                .isInstanceOfSatisfying(
                        TransactionFailedException.class,
                        e -> assertThat(e.sqlState()).contains("40001"));

        assertThat(attempts).containsExactly(1);
        one.real().commit();
        assertThat(items.committed()).isEqualTo("7,7");
    }

    @Test
    void joiningAsksForWhatItCannotHave() throws SQLException {
        one.real().setAutoCommit(false);
        Items.run(one.real(), "UPDATE item SET n = 7");

        assertThatThrownBy(() -> joining()
                        .with(joining().options().toBuilder()
                                .isolation(Isolation.SERIALIZABLE)
                                .build())
                        .run(tx -> {}))
                .isInstanceOf(NestedTransactionException.class)
                .hasMessageContaining("serializable")
                .hasMessageContaining("read committed");
        assertThatThrownBy(() -> joining().run(tx -> tx.afterCommit(() -> {})))
                .isInstanceOf(NestedTransactionException.class)
                .hasMessageContaining("TransactionOwner");
    }

    @Test
    void aFrameworksTransactionIsJoinedWithItsOwner() throws SQLException {
        List<String> told = new ArrayList<>();
        one.real().setAutoCommit(false);
        Transaction joined = Transactions.join(one.real(), new TransactionOwner() {
            @Override
            public void afterCommit(Runnable action) {
                told.add("afterCommit");
            }

            @Override
            public void rollbackOnly(String reason) {
                told.add(reason);
            }
        });

        Items.run(joined, "UPDATE item SET n = 7");
        joined.afterCommit(() -> {});
        joined.rollbackOnly("no");

        assertThat(told).containsExactly("afterCommit", "no");
        assertThatThrownBy(() -> joined.connection().commit()).isInstanceOf(TransactionControlException.class);
        one.real().commit();
        assertThat(items.committed()).isEqualTo("7,7");
    }

    @Test
    void withoutAConnectionNothingBegins() {
        TestDatabase gone = TestDatabase.create();
        gone.close();

        assertThatThrownBy(() -> Transactions.over(gone.dataSource()).run(tx -> {}))
                .isInstanceOfSatisfying(
                        TransactionFailedException.class,
                        e -> assertThat(e.sqlState()).contains("3D000"))
                .hasMessageContaining("lack of a connection");
    }

    @Test
    void anErrorRollsBackAndIsNotRunAgain() throws SQLException {
        List<Integer> attempts = new ArrayList<>();

        assertThatThrownBy(() -> transactions.run(tx -> {
                    attempts.add(tx.attempt());
                    Items.run(tx, "UPDATE item SET n = 7");
                    throw new AssertionError(new SQLException("could not serialize", "40001"));
                }))
                .isInstanceOf(AssertionError.class);

        assertThat(attempts).containsExactly(1);
        assertThat(one.isGivenBack()).isTrue();
        assertThat(items.committed()).isEqualTo("0,0");
    }
}
