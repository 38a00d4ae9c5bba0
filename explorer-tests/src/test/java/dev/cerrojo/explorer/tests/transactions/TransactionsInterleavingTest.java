package dev.cerrojo.explorer.tests.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.OutcomeUnknownException;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Retries and actions after the commit, in every order of two clients, and with every fault. */
class TransactionsInterleavingTest {
    private static final int SIZE = 4;

    private static final String NOT_COUNTED = "SELECT n FROM stock WHERE n <> 5 - (SELECT count(*) FROM orders)";
    private static final String TWICE = "SELECT client FROM orders GROUP BY client HAVING count(*) > 1";

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource setup = Pools.hikari(database, 1);
    private HikariDataSource pool = setup;
    private final List<String> mails = new CopyOnWriteArrayList<>();
    private final List<String> unknown = new CopyOnWriteArrayList<>();

    @BeforeEach
    void stock() throws SQLException {
        Pools.execute(setup, """
                CREATE TABLE stock (id int PRIMARY KEY, n int NOT NULL);
                INSERT INTO stock VALUES (1, 5);
                CREATE TABLE orders (client text NOT NULL)""");
    }

    @AfterEach
    void close() {
        pool.close();
        setup.close();
        database.close();
    }

    private Transactions over(Interleavings race, Isolation level) {
        pool = Pools.hikari(database, SIZE, level);
        return Transactions.over(
                race.over(pool).dataSource(),
                TransactionOptions.builder()
                        .backoff(Duration.ZERO, Duration.ZERO)
                        .deadline(Duration.ofMinutes(10))
                        .build());
    }

    private static int left(Transaction tx) throws SQLException {
        try (PreparedStatement read = tx.connection().prepareStatement("SELECT n FROM stock WHERE id = 1");
                ResultSet row = read.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void execute(Transaction tx, String sql) throws SQLException {
        try (PreparedStatement statement = tx.connection().prepareStatement(sql)) {
            statement.execute();
        }
    }

    private void order(Transactions transactions, String client) {
        transactions.run(tx -> order(tx, client));
    }

    private void order(Transaction tx, String client) throws SQLException {
        int left = left(tx);
        tx.afterCommit(() -> mails.add(client));
        execute(tx, "UPDATE stock SET n = " + (left - 1) + " WHERE id = 1");
        execute(tx, "INSERT INTO orders VALUES ('" + client + "')");
    }

    private Interleavings twoClients(Interleavings race, Isolation level) {
        Transactions transactions = over(race, level);
        return twoClients(race, client -> order(transactions, client));
    }

    private Interleavings twoClients(Interleavings race, Consumer<String> order) {
        for (String client : List.of("Ana", "Ben")) {
            race.session(client + " orders", () -> {
                try {
                    order.accept(client);
                } catch (OutcomeUnknownException e) {
                    unknown.add(client);
                    throw e;
                }
            });
        }
        return race.beforeEach(() -> {
                    mails.clear();
                    unknown.clear();
                })
                .holds("no sale is lost", NOT_COUNTED)
                .holds("nobody orders twice", TWICE);
    }

    private List<String> orders() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT client FROM orders")) {
            List<String> clients = new ArrayList<>();
            while (rows.next()) {
                clients.add(rows.getString(1));
            }
            return clients;
        }
    }

    private void mailsAreOfOrders() throws SQLException {
        assertThat(mails).doesNotHaveDuplicates().isSubsetOf(orders());
    }

    /** Whoever has ordered has a mail, or knows that nobody knows. */
    private void whoHasNoMailIsTold() throws SQLException {
        List<String> told = new ArrayList<>(mails);
        told.addAll(unknown);
        assertThat(told).doesNotHaveDuplicates().containsAll(orders());
    }

    @InterleavingTest
    void atRepeatableReadBothSucceed(Interleavings race) {
        twoClients(race, Isolation.REPEATABLE_READ)
                .holds("mails", this::mailsAreOfOrders)
                .neverFails();
    }

    @InterleavingTest
    void atSerializableBothSucceed(Interleavings race) {
        twoClients(race, Isolation.SERIALIZABLE)
                .holds("mails", this::mailsAreOfOrders)
                .neverFails();
    }

    @InterleavingTest
    void aCrashDoesNothingTwice(Interleavings race) {
        twoClients(race, Isolation.REPEATABLE_READ).faults(1, 0).holds("mails", this::mailsAreOfOrders);
    }

    @InterleavingTest
    void aLostAnswerIsToldAndDoesNothingTwice(Interleavings race) {
        twoClients(race, Isolation.REPEATABLE_READ)
                .faults(0, 1)
                .holds("mails", this::mailsAreOfOrders)
                .holds("told", this::whoHasNoMailIsTold);
    }

    @InterleavingTest
    void whoSwallowsAFailureCommitsNothingOfIt(Interleavings race) {
        Transactions transactions = over(race, Isolation.REPEATABLE_READ);
        twoClients(
                        race,
                        client -> transactions.run(tx -> {
                            try {
                                order(tx, client);
                            } catch (SQLException e) {
                                // as careless code does
                            }
                        }))
                .holds("mails", this::mailsAreOfOrders)
                .holds("told", this::whoHasNoMailIsTold)
                .neverFails();
    }

    /** The control: without the level there is nothing to retry, and a sale is lost. */
    @InterleavingTest
    void atReadCommittedASaleIsLost(Interleavings race) {
        isViolated(twoClients(race, Isolation.READ_COMMITTED));
    }

    /** The control: without retries one of them fails. */
    @InterleavingTest
    void withoutRetriesOneFails(Interleavings race) {
        Transactions often = over(race, Isolation.REPEATABLE_READ);
        Transactions once =
                often.with(often.options().toBuilder().maxAttempts(1).build());

        isViolated(twoClients(race, client -> order(once, client)).neverFails());
    }

    /** The control: who runs an unknown outcome again, orders twice. */
    @InterleavingTest(maxSchedules = 300)
    void whoRetriesAnUnknownOutcomeOrdersTwice(Interleavings race) {
        Transactions transactions = over(race, Isolation.REPEATABLE_READ);
        twoClients(race, client -> {
                    try {
                        order(transactions, client);
                    } catch (OutcomeUnknownException e) {
                        order(transactions, client);
                    }
                })
                .faults(0, 1);

        Findings findings = isViolated(race);
        assertThat(findings.text()).contains("nobody orders twice");
    }

    /** The control: what is done within the work is done again with it. */
    @InterleavingTest
    void aMailWithinTheWorkIsSentTwice(Interleavings race) {
        Transactions transactions = over(race, Isolation.REPEATABLE_READ);
        twoClients(
                        race,
                        client -> transactions.run(tx -> {
                            mails.add(client);
                            execute(tx, "UPDATE stock SET n = " + (left(tx) - 1) + " WHERE id = 1");
                            execute(tx, "INSERT INTO orders VALUES ('" + client + "')");
                        }))
                .holds("mails", this::mailsAreOfOrders);

        isViolated(race);
    }

    private static Findings isViolated(Interleavings race) {
        Findings findings = race.explore();
        assertThat(findings.verdict()).isEqualTo(Verdict.VIOLATED);
        return findings;
    }
}
