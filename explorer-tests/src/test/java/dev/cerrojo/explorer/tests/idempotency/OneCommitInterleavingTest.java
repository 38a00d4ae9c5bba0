package dev.cerrojo.explorer.tests.idempotency;

import static dev.cerrojo.explorer.tests.idempotency.Ledger.allHold;
import static dev.cerrojo.explorer.tests.idempotency.Ledger.isViolated;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.idempotency.IdempotencySettings;
import dev.cerrojo.idempotency.IdempotentRequests;
import dev.cerrojo.idempotency.RequestHash;
import dev.cerrojo.idempotency.RequestKey;
import dev.cerrojo.idempotency.StoredResponse;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Claim, work and result in one commit: in every order of two clients, and with every fault. */
class OneCommitInterleavingTest {
    private static final RequestKey KEY = RequestKey.of("pay", "customer/17", "k1");
    private static final RequestHash REQUEST = RequestHash.ofText("pay 5");
    private static final IdempotentRequests REQUESTS = IdempotentRequests.with(
            IdempotencySettings.builder().waitUpTo(Duration.ofHours(1)).build());

    private final Ledger ledger = new Ledger();
    private final List<String> answers = new CopyOnWriteArrayList<>();

    OneCommitInterleavingTest() throws SQLException {}

    /** The tables of those who do it by hand. */
    @BeforeEach
    void tablesByHand() throws SQLException {
        ledger.execute("CREATE TABLE seen (key text PRIMARY KEY, done boolean NOT NULL)");
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private static Transactions transactions(DataSource dataSource) {
        return Transactions.over(
                dataSource,
                TransactionOptions.builder()
                        .backoff(Duration.ZERO, Duration.ZERO)
                        .deadline(Duration.ofMinutes(10))
                        .build());
    }

    /** What a client does. */
    private interface Paying {
        void pay(DataSource dataSource, String who) throws SQLException;
    }

    private void once(DataSource dataSource, String who) {
        answers.add(REQUESTS.call(transactions(dataSource), KEY, REQUEST, tx -> paid(tx, who))
                .response()
                .text());
    }

    private static StoredResponse paid(Transaction tx, String who) throws SQLException {
        execute(tx.connection(), Ledger.EFFECT.formatted(who));
        return StoredResponse.json(201, "\"" + who + "\"");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Interleavings twoClients(Interleavings race, Isolation level, Paying paying) {
        DataSource gated = ledger.over(race, level);
        for (String client : List.of("Ana", "Ben")) {
            race.session(client + " pays", () -> paying.pay(gated, client));
        }
        return race.beforeEach(answers::clear).holds("one effect", Ledger.ONE_EFFECT);
    }

    private void oneAnswer() {
        assertThat(answers).isNotEmpty();
        assertThat(answers).containsOnly(answers.get(0));
    }

    private void twoClientsPayOnce(Interleavings race, Isolation level) {
        allHold(twoClients(race, level, this::once)
                .holds("one answer", this::oneAnswer)
                .neverFails()
                .neverDeadlocks());
    }

    @InterleavingTest
    void twoClaimersAtReadCommitted(Interleavings race) {
        twoClientsPayOnce(race, Isolation.READ_COMMITTED);
    }

    @InterleavingTest
    void twoClaimersAtRepeatableRead(Interleavings race) {
        twoClientsPayOnce(race, Isolation.REPEATABLE_READ);
    }

    @InterleavingTest
    void twoClaimersAtSerializable(Interleavings race) {
        twoClientsPayOnce(race, Isolation.SERIALIZABLE);
    }

    /** Who crashes leaves all or nothing, and is not missed. */
    @InterleavingTest
    void aCrashAtAnyStep(Interleavings race) {
        allHold(twoClients(race, Isolation.READ_COMMITTED, this::once).faults(1, 0));
    }

    @InterleavingTest
    void aCrashAtAnyStepOfOneWhoTriesAgain(Interleavings race) {
        oneClient(race, this::once).faults(1, 0).clientRetries().holds("one answer", this::oneAnswer);
        allHold(race);
    }

    @InterleavingTest
    void theLostAnswerOfTheCommitAndATryAgain(Interleavings race) {
        allHold(twoClients(race, Isolation.READ_COMMITTED, this::once)
                .faults(0, 1)
                .clientRetries()
                .holds("one answer", this::oneAnswer));
    }

    private Interleavings oneClient(Interleavings race, Paying paying) {
        DataSource gated = ledger.over(race, Isolation.READ_COMMITTED);
        return race.session("Ana pays", () -> paying.pay(gated, "Ana"))
                .beforeEach(answers::clear)
                .holds("one effect", Ledger.ONE_EFFECT);
    }

    /** The control: nothing keeps the key. */
    @InterleavingTest(maxSchedules = 80)
    void withoutAKeyATryAgainPaysTwice(Interleavings race) {
        isViolated(oneClient(race, (dataSource, who) -> transactions(dataSource).run(tx -> paid(tx, who)))
                .faults(0, 1)
                .clientRetries());
    }

    /** The control: look for the key, then write it, whoever else has. */
    @InterleavingTest(maxSchedules = 80)
    void lookingBeforeInsertingPaysTwice(Interleavings race) {
        isViolated(twoClients(
                race,
                Isolation.READ_COMMITTED,
                (dataSource, who) -> transactions(dataSource).run(tx -> {
                    if (seen(tx.connection()).isEmpty()) {
                        execute(tx.connection(), "INSERT INTO seen VALUES ('k1', true) ON CONFLICT DO NOTHING");
                        paid(tx, who);
                    }
                })));
    }

    /** The control: the violation of the unique key is caught, and the transaction that PostgreSQL has ended is gone on with. */
    @InterleavingTest(maxSchedules = 80)
    void insertingCatchingAndContinuingFails(Interleavings race) {
        isViolated(twoClients(race, Isolation.READ_COMMITTED, OneCommitInterleavingTest::insertCatchContinue)
                .neverFails());
    }

    private static void insertCatchContinue(DataSource dataSource, String who) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                execute(connection, "INSERT INTO seen VALUES ('k1', true)");
                execute(connection, Ledger.EFFECT.formatted(who));
            } catch (SQLException seenBefore) {
                Optional<Boolean> unused = seen(connection);
            }
            connection.commit();
        }
    }

    private static Optional<Boolean> seen(Connection connection) throws SQLException {
        try (PreparedStatement read = connection.prepareStatement("SELECT done FROM seen WHERE key = 'k1'");
                ResultSet row = read.executeQuery()) {
            return row.next() ? Optional.of(row.getBoolean(1)) : Optional.empty();
        }
    }

    /** The control: completed in a transaction after the one of the effect, so that a crash between the two is not told from one before. */
    @InterleavingTest(maxSchedules = 80)
    void completedInASecondTransactionPaysTwice(Interleavings race) {
        isViolated(oneClient(race, OneCommitInterleavingTest::inThreeCommits)
                .faults(1, 0)
                .clientRetries());
    }

    private static void inThreeCommits(DataSource dataSource, String who) throws SQLException {
        Pools.execute(dataSource, "INSERT INTO seen VALUES ('k1', false) ON CONFLICT DO NOTHING");
        try (Connection connection = dataSource.getConnection()) {
            if (!seen(connection).orElseThrow()) {
                execute(connection, Ledger.EFFECT.formatted(who));
                execute(connection, "UPDATE seen SET done = true");
            }
        }
    }
}
