package dev.cerrojo.explorer.tests.leases;

import static dev.cerrojo.explorer.tests.leases.Proofs.holds;
import static dev.cerrojo.explorer.tests.leases.Proofs.isViolated;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.cerrojo.explorer.jdbc.Interleavings;
import dev.cerrojo.explorer.junit.InterleavingTest;
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

    private static final String WRITE_AT_ONCE =
            "WITH effect AS (INSERT INTO effects VALUES ('Ben')) UPDATE counter SET n = n + 1";

    private final TestDatabase database = TestDatabase.create();
    private final HikariDataSource setup = Pools.hikari(database, 2);
    private HikariDataSource pool = setup;
    private Leases leases = Leases.over(setup, settings());
    private Leases beforehand = leases;
    private Optional<Lease> stale = Optional.empty();
    private DataSource gated = setup;
    private Runnable forget = () -> {};

    /** What was held in the schedule before is gone with its rows. */
    private Runnable giveBack = () -> stale.ifPresent(Lease::release);

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
            CREATE TABLE effects (who text NOT NULL)\
            """);
        for (LeaseScope scope : new LeaseScope[] {WHOLE, GROUP}) {
            beforehand.acquire(scope).release();
        }
    }

    @AfterEach
    void close() {
        leases.close();
        beforehand.close();
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

    /** The same with a Ben who needs two statements: he holds the lease for so long that nobody can be in his way. */
    private Interleavings lateHolder(Interleavings race, LeaseScope ana, LeaseScope ben, Writing writing) {
        return race.session("Ana, too late", () -> {
                    before.take(gated);
                    Optional<Lease> lease = leases.tryAcquire(ana);
                    if (lease.isPresent()) {
                        int n = read(gated, Expiry.WHILE_READING);
                        forget.run();
                        writing.write(lease.orElseThrow(), tx -> execute(tx, WRITE.formatted("Ana", n + 1)));
                    }
                })
                .session("Ben, at once", () -> {
                    before.take(gated);
                    if (leases.tryAcquire(ben).isPresent()) {
                        Pools.execute(gated, WRITE_AT_ONCE);
                    }
                });
    }

    /** Shorter: Ana has acquired and read, and her time is over, before the others begin. */
    private Interleavings staleHolder(Interleavings race, Writing writing, LeaseScope... others) {
        race.beforeEach(this::becomeStale)
                .session(
                        "Ana, too late",
                        () -> writing.write(stale.orElseThrow(), tx -> execute(tx, WRITE.formatted("Ana", 1))));
        for (LeaseScope other : others) {
            race.session(other + " at once", () -> {
                before.take(gated);
                if (leases.tryAcquire(other).isPresent()) {
                    Pools.execute(gated, WRITE_AT_ONCE);
                }
            });
        }
        return race;
    }

    private void becomeStale() throws SQLException {
        giveBack.run();
        stale = Optional.of(beforehand.acquire(WHOLE));
        Pools.execute(setup, Expiry.SQL);
        forget.run();
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
        holds(twoHolders(race, WHOLE, WHOLE, false, this::fenced)
                .neverDeadlocks()
                .neverFails());
    }

    @InterleavingTest
    void atRepeatableRead(Interleavings race) {
        over(race, Isolation.REPEATABLE_READ);
        holds(twoHolders(race, WHOLE, WHOLE, false, this::fenced).neverDeadlocks());
    }

    @InterleavingTest
    void atSerializable(Interleavings race) {
        over(race, Isolation.SERIALIZABLE);
        holds(twoHolders(race, WHOLE, WHOLE, false, this::fenced).neverDeadlocks());
    }

    @InterleavingTest
    void whenItIsOverWithinTheTransaction(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(twoHolders(race, GROUP, GROUP, true, this::fenced)
                .neverDeadlocks()
                .neverFails());
    }

    @InterleavingTest
    void ofTheWholeAndThenOfAGroup(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(twoHolders(race, WHOLE, GROUP, false, this::fenced)
                .neverDeadlocks()
                .neverFails());
    }

    @InterleavingTest
    void ofAGroupAndThenOfTheWhole(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(twoHolders(race, GROUP, WHOLE, false, this::fenced)
                .neverDeadlocks()
                .neverFails());
    }

    @InterleavingTest
    void ofAGroupAndThenOfTheWholeAtRepeatableRead(Interleavings race) {
        over(race, Isolation.REPEATABLE_READ);
        holds(twoHolders(race, GROUP, WHOLE, true, this::fenced).neverDeadlocks());
    }

    /** A store that is not PostgreSQL, and loses its memory where the others' time is over. */
    private void overAStoreThatForgets(Interleavings race) {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        pool = Pools.hikari(database, SIZE, Isolation.READ_COMMITTED);
        gated = race.over(pool).dataSource();
        over(race, Leases.over(store, settings(), Fences.over(gated)));
        beforehand.close();
        beforehand = Leases.over(store, settings(), Fences.over(setup));
        race.beforeEach(store::forget);
        forget = store::forget;
        // It would remove rows of fences in the background.
        giveBack = () -> {};
        before = dataSource -> Pools.execute(dataSource, "SELECT 1");
    }

    @InterleavingTest
    void ofAStoreThatForgets(Interleavings race) {
        overAStoreThatForgets(race);
        holds(staleHolder(race, this::fenced, WHOLE).neverDeadlocks());
    }

    @InterleavingTest(timeoutSeconds = 1200)
    @EnabledIfSystemProperty(named = "cerrojo.leases.long", matches = "true")
    void ofAStoreThatForgetsFromTheStart(Interleavings race) {
        overAStoreThatForgets(race);
        holds(lateHolder(race, GROUP, WHOLE, this::fenced).neverDeadlocks());
    }

    /** The control: with the fence off. */
    @InterleavingTest(maxSchedules = 120)
    void withoutTheFenceOfAStoreThatForgetsAWriteIsLost(Interleavings race) {
        overAStoreThatForgets(race);
        isViolated(twoHolders(race, WHOLE, WHOLE, false, this::unfenced));
    }

    /** Whatever is left of who crashes, the other loses no write. */
    @InterleavingTest
    void withACrash(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(staleHolder(race, this::fenced, WHOLE).faults(1, 0));
    }

    /** Of a commit, or of an acquisition, which is asked for again then. */
    @InterleavingTest
    void withALostAnswer(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(staleHolder(race, this::fenced, WHOLE).faults(0, 1));
    }

    @InterleavingTest(timeoutSeconds = 1200)
    @EnabledIfSystemProperty(named = "cerrojo.leases.long", matches = "true")
    void withACrashFromTheStart(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(lateHolder(race, WHOLE, WHOLE, this::fenced).faults(1, 0));
    }

    @InterleavingTest(timeoutSeconds = 1200)
    @EnabledIfSystemProperty(named = "cerrojo.leases.long", matches = "true")
    void withALostAnswerFromTheStart(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(lateHolder(race, WHOLE, WHOLE, this::fenced).faults(0, 1));
    }

    /** The control: with the fence off. */
    @InterleavingTest
    void withACrashAndWithoutTheFenceAWriteIsLost(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        isViolated(staleHolder(race, this::unfenced, WHOLE).faults(1, 0));
    }

    /** The control: with the fence off. */
    @InterleavingTest
    void withALostAnswerAndWithoutTheFenceAWriteIsLost(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        isViolated(staleHolder(race, this::unfenced, WHOLE).faults(0, 1));
    }

    @InterleavingTest(timeoutSeconds = 1200)
    @EnabledIfSystemProperty(named = "cerrojo.leases.long", matches = "true")
    void ofThreeHolders(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        holds(staleHolder(race, this::fenced, WHOLE, GROUP));
    }

    /** The control: with the fence off. */
    @InterleavingTest
    void ofThreeHoldersWithoutTheFenceAWriteIsLost(Interleavings race) {
        over(race, Isolation.READ_COMMITTED);
        isViolated(staleHolder(race, this::unfenced, WHOLE, GROUP));
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
}
