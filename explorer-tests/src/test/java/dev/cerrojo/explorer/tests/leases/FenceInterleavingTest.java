package dev.cerrojo.explorer.tests.leases;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Findings;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
import dev.cerrojo.explorer.search.Verdict;
import dev.cerrojo.explorer.tests.Pools;
import dev.cerrojo.lease.Fences;
import dev.cerrojo.lease.Lease;
import dev.cerrojo.lease.LeaseLostException;
import dev.cerrojo.lease.LeaseScope;
import dev.cerrojo.lease.LeaseSettings;
import dev.cerrojo.lease.Leases;
import dev.cerrojo.leasecontract.InMemoryLeaseStore;
import dev.cerrojo.schema.Schema;
import dev.cerrojo.testsupport.TestDatabase;
import dev.cerrojo.tx.Isolation;
import dev.cerrojo.tx.Transaction;
import dev.cerrojo.tx.TransactionAction;
import dev.cerrojo.tx.TransactionOptions;
import dev.cerrojo.tx.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A holder whose time is over, and who does not know it, beside the next one (corpus R38): both read a counter, outside of any
 * transaction, and write what they read plus one. In every order, at every isolation level.
 */
class FenceInterleavingTest {
    private static final int SIZE = 5;
    private static final LeaseScope WHOLE = LeaseScope.of("counter");
    private static final LeaseScope GROUP = LeaseScope.of("counter", "n");

    private static final String A_WRITE_IS_LOST = "SELECT n FROM counter WHERE n <> (SELECT count(*) FROM effects)";
    private static final String READ = "SELECT n FROM counter";
    private static final String WRITE = "WITH effect AS (INSERT INTO effects VALUES ('%s')) UPDATE counter SET n = %d";

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource setup = Pools.hikari(database, 2);
    private HikariDataSource pool = setup;
    private Leases leases = Leases.over(setup, settings());
    private DataSource gated = setup;
    private Runnable forget = () -> {};
    private Step before = dataSource -> {};
    private Transactions transactions = Transactions.over(setup);

    @BeforeAll
    static void lossesAreNoNews() {
        QuietLog.on();
    }

    @BeforeEach
    void tables() throws SQLException {
        Schema.over(setup).create();
        Pools.execute(setup, """
                CREATE TABLE counter (n int NOT NULL);
                INSERT INTO counter VALUES (0);
                CREATE TABLE effects (who text NOT NULL)""");
        for (LeaseScope scope : new LeaseScope[] {WHOLE, GROUP}) {
            leases.acquire(scope).release();
        }
        leases.close();
    }

    @AfterEach
    void close() {
        leases.close();
        pool.close();
        setup.close();
        database.close();
    }

    private static LeaseSettings settings() {
        return LeaseSettings.builder().leaseDuration(Duration.ofHours(2)).build();
    }

    private void over(Interleavings race, Isolation level) {
        pool = Pools.hikari(database, SIZE, level);
        gated = race.over(pool).dataSource();
        over(race, Leases.over(gated, settings()));
    }

    private void over(Interleavings race, Leases those) {
        leases = those;
        transactions = Transactions.over(
                gated,
                TransactionOptions.builder()
                        .backoff(Duration.ZERO, Duration.ZERO)
                        .deadline(Duration.ofMinutes(10))
                        .build());
        race.mayRefuse(LeaseLostException.class).holds("no write is lost", A_WRITE_IS_LOST);
    }

    /** A step of its own, after which a store in memory can be asked in the same turn. */
    private interface Step {
        void take(DataSource dataSource) throws SQLException;
    }

    /** How a holder writes. */
    private interface Writing {
        void write(Lease lease, TransactionAction<RuntimeException> work) throws SQLException;
    }

    private void fenced(Lease lease, TransactionAction<RuntimeException> work) {
        lease.runFenced(transactions, work);
    }

    /** The control's. */
    private void unfenced(Lease lease, TransactionAction<RuntimeException> work) {
        lease.ensureHeld();
        transactions.run(work);
    }

    /** Ana's time is over before, or in, her transaction; Ben comes when he likes. */
    private Interleavings twoHolders(
            Interleavings race, LeaseScope ana, LeaseScope ben, boolean endsWithin, Writing writing) {
        return race.session("Ana, too late", () -> {
                    before.take(gated);
                    Optional<Lease> lease = leases.tryAcquire(ana);
                    if (lease.isPresent()) {
                        int n = read(gated, endsWithin ? READ : Expiry.WHILE_READING);
                        forget.run();
                        writing.write(lease.orElseThrow(), tx -> {
                            if (endsWithin) {
                                Pools.execute(gated, Expiry.SQL);
                            }
                            execute(tx, WRITE.formatted("Ana", n + 1));
                        });
                    }
                })
                .session("Ben", () -> {
                    before.take(gated);
                    Optional<Lease> lease = leases.tryAcquire(ben);
                    if (lease.isPresent()) {
                        int n = read(gated, READ);
                        writing.write(lease.orElseThrow(), tx -> execute(tx, WRITE.formatted("Ben", n + 1)));
                    }
                });
    }

    private static int read(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void execute(Transaction tx, String sql) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    @InterleavingTest
    void atReadCommitted(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        twoHolders(race, WHOLE, WHOLE, false, this::fenced).neverDeadlocks().neverFails();
    }

    @InterleavingTest
    void atRepeatableRead(Interleavings race) {
        over(race, Isolation.REPEATABLE_READ);
        twoHolders(race, WHOLE, WHOLE, false, this::fenced).neverDeadlocks();
    }

    @InterleavingTest(maxSchedules = 50)
    void atSerializable(Interleavings race) {
        over(race, Isolation.SERIALIZABLE);
        isNotViolated(twoHolders(race, WHOLE, WHOLE, false, this::fenced).neverDeadlocks());
    }

    /** The same to the end. */
    @InterleavingTest(timeoutSeconds = 600)
    @EnabledIfSystemProperty(named = "cerrojo.leases.long", matches = "true")
    void atSerializableInEveryOrder(Interleavings race) {
        over(race, Isolation.SERIALIZABLE);
        twoHolders(race, WHOLE, WHOLE, false, this::fenced).neverDeadlocks();
    }

    @InterleavingTest
    void whenItIsOverWithinTheTransaction(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        twoHolders(race, GROUP, GROUP, true, this::fenced).neverDeadlocks().neverFails();
    }

    @InterleavingTest
    void ofTheWholeAndThenOfAGroup(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        twoHolders(race, WHOLE, GROUP, false, this::fenced).neverDeadlocks().neverFails();
    }

    @InterleavingTest
    void ofAGroupAndThenOfTheWhole(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        twoHolders(race, GROUP, WHOLE, false, this::fenced).neverDeadlocks().neverFails();
    }

    @InterleavingTest
    void ofAGroupAndThenOfTheWholeAtRepeatableRead(Interleavings race) {
        over(race, Isolation.REPEATABLE_READ);
        twoHolders(race, GROUP, WHOLE, true, this::fenced).neverDeadlocks();
    }

    /** A store that is not PostgreSQL, and loses its memory where the others' time is over. */
    private void overAStoreThatForgets(Interleavings race) {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        pool = Pools.hikari(database, SIZE, Isolation.READ_COMMITTED);
        gated = race.over(pool).dataSource();
        over(race, Leases.over(store, settings(), Fences.over(gated)));
        race.beforeEach(store::forget);
        forget = store::forget;
        before = dataSource -> Pools.execute(dataSource, "SELECT 1");
    }

    @InterleavingTest(maxSchedules = 60)
    void ofAStoreThatForgets(Interleavings race) {
        overAStoreThatForgets(race);
        isNotViolated(twoHolders(race, GROUP, WHOLE, false, this::fenced).neverDeadlocks());
    }

    /** The control: with the fence off. */
    @InterleavingTest(maxSchedules = 120)
    void withoutTheFenceOfAStoreThatForgetsAWriteIsLost(Interleavings race) {
        overAStoreThatForgets(race);
        isViolated(twoHolders(race, WHOLE, WHOLE, false, this::unfenced));
    }

    /** Whatever is left of who crashes, the other loses no write. */
    @InterleavingTest(maxSchedules = 40)
    void withACrash(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        isNotViolated(twoHolders(race, WHOLE, WHOLE, false, this::fenced).faults(1, 0));
    }

    /** Of a commit, or of an acquisition, which is asked for again then. */
    @InterleavingTest(maxSchedules = 40)
    void withALostAnswer(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        isNotViolated(twoHolders(race, WHOLE, WHOLE, false, this::fenced).faults(0, 1));
    }

    /** One COMMIT lets two go on, and which of them comes first cannot be chosen: never complete, so some will do. */
    @InterleavingTest(maxSchedules = 40)
    void ofThreeHolders(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        isNotViolated(twoHolders(race, WHOLE, WHOLE, false, this::fenced).session("Cleo", () -> {
            Optional<Lease> lease = leases.tryAcquire(GROUP);
            if (lease.isPresent()) {
                int n = read(gated, Expiry.WHILE_READING);
                lease.orElseThrow().runFenced(transactions, tx -> execute(tx, WRITE.formatted("Cleo", n + 1)));
            }
        }));
    }

    /** The control: with the fence off. */
    @InterleavingTest(maxSchedules = 60)
    void withoutTheFenceAWriteIsLost(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        isViolated(twoHolders(race, WHOLE, WHOLE, false, this::unfenced));
    }

    /** The control: the token is compared by the write, but the fence is not raised when the lease is acquired (R38). */
    @InterleavingTest(maxSchedules = 60)
    void aFenceThatIsRaisedByTheWriteOnlyComesTooLate(Interleavings race) throws SQLException {
        Pools.execute(setup, "CREATE TABLE late (token bigint NOT NULL); INSERT INTO late VALUES (0)");
        over(race, Isolation.READ_COMMITTED);
        isViolated(twoHolders(
                race,
                WHOLE,
                WHOLE,
                false,
                (lease, work) -> transactions.run(tx -> {
                    try (Statement raise = tx.connection().createStatement()) {
                        int passed = raise.executeUpdate(
                                "UPDATE late SET token = %1$d WHERE token <= %1$d".formatted(lease.token()));
                        assertThat(passed).isLessThanOrEqualTo(1);
                        if (passed == 1) {
                            work.run(tx);
                        }
                    }
                })));
    }

    private static void isNotViolated(Interleavings race) {
        Findings findings = race.explore();
        assertThat(findings.verdict()).as(findings.text()).isNotEqualTo(Verdict.VIOLATED);
    }

    private static void isViolated(Interleavings race) {
        Findings findings = race.explore();
        assertThat(findings.verdict()).as(findings.text()).isEqualTo(Verdict.VIOLATED);
    }
}
